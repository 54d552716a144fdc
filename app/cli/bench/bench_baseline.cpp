// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_baseline.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/internal/text_file.h>

#include "cli/bench/bench_alone.h"
#include "cli/output/json_output.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

template <typename T>
T member(const nlohmann::json& json, const char* name, const std::string& place) {
    try {
        return json.at(name).get<T>();
    } catch (const nlohmann::json::exception&) {
        fail_input(place + ": expected a result of lapidary-cli bench --json, but " + quote(name) +
                   " is missing or of another kind");
    }
}

void check_machine(const nlohmann::json& saved, const std::string& place) {
    const MachineInfo here = machine_info();
    const auto check = [&](const char* name, const std::string& expected,
                           const std::string& found) {
        if (expected == found) return;
        throw UsageError(
            fmt::format("{}: measured on another machine: {} was {}, here it is {}; times of two "
                        "machines do not "
                        "compare (--any-machine takes them all the same)",
                        place, name, quote(found), quote(expected)));
    };
    check("cpu", here.cpu, member<std::string>(saved, "cpu", place));
    check("isa", here.isa, member<std::string>(saved, "isa", place));
    check("cores", std::to_string(here.cores), std::to_string(member<int>(saved, "cores", place)));
}

}  // namespace

Baseline::Baseline(const std::filesystem::path& path, bool any_machine) {
    const std::string place = path.string();
    const nlohmann::json json = parse_json(
        load_text(path, most_bytes), place + ": expected a result of lapidary-cli bench --json");
    if (!json.is_object())
        fail_input(place +
                   ": expected a result of lapidary-cli bench --json, found no JSON object");
    if (!any_machine) check_machine(member<nlohmann::json>(json, "machine", place), place);
    if (json.contains("options") && json["options"].contains("dimensions"))
        asked_ = member<Sizes>(json["options"], "dimensions", place);
    for (const nlohmann::json& saved :
         member<std::vector<nlohmann::json>>(json, "configurations", place)) {
        if (!saved.is_object() || saved.contains("error")) continue;
        Entry entry;
        entry.model = member<std::string>(saved, "model", place);
        RunConfiguration& c = entry.measurement.configuration;
        const auto level = level_from_name(member<std::string>(saved, "level", place));
        if (!level)
            fail_input(place + ": unknown level " +
                       quote(member<std::string>(saved, "level", place)));
        c.level = *level;
        c.resources =
            fixed_resources(member<int>(saved, "intra", place), member<int>(saved, "inter", place));
        if (saved.contains("compute"))
            if (const auto compute = member<std::string>(saved, "compute", place);
                compute != name_of(Compute::exact))
                c.resources.config[std::string(compute_key)] = compute;
        c.batch = member<std::int64_t>(saved, "batch", place);
        const nlohmann::json ours = member<nlohmann::json>(saved, "ours", place);
        const auto interval = member<std::vector<double>>(ours, "ci_ms", place);
        MedianEstimate& e = entry.measurement.wall.median;
        e.median = member<double>(ours, "median_ms", place);
        e.samples = member<std::size_t>(ours, "samples", place);
        if (interval.size() != 2 || !(e.median > 0))
            fail_input(place + ": " + quote(entry.model) + " has no median with its interval");
        e.low = interval[0];
        e.high = interval[1];
        if (saved.contains("sizes")) entry.sizes = member<Sizes>(saved, "sizes", place);
        entries_.push_back(std::move(entry));
    }
    if (entries_.empty()) fail_input(place + ": the saved result has no measured configuration");
}

/// Files without sizes are from releases that generated short inputs if no size was given.
Baseline::Sizes Baseline::sizes_of(const Entry& entry, const Model& loaded) const {
    if (entry.sizes) return *entry.sizes;
    Sizes asked = asked_;
    if (const std::int64_t batch = entry.measurement.configuration.batch; batch > 0)
        for (const std::string& name : batch_dimensions(loaded)) asked.emplace(name, batch);
    return named_sizes({input_dimensions(loaded, asked), {}});
}

const Measurement* Baseline::find(const std::string& model, const RunConfiguration& configuration,
                                  const Sizes& sizes, const Model& loaded) const {
    for (const Entry& entry : entries_)
        if (entry.model == model && entry.measurement.configuration == configuration &&
            sizes_of(entry, loaded) == sizes)
            return &entry.measurement;
    return nullptr;
}

std::string Baseline::conditions_of(const std::string& model, const Model& loaded) const {
    const auto entry = std::ranges::find(entries_, model, &Entry::model);
    if (entry == entries_.end()) return {};
    const RunConfiguration& c = entry->measurement.configuration;
    return text_of(RunConditions{c.level,
                                 c.resources.threads,
                                 c.resources.inter_threads,
                                 {sizes_of(*entry, loaded), {}}}) +
           weights_text(c.resources);
}

}  // namespace lapidary::cli
