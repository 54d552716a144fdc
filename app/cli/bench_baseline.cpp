// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_baseline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/error.h>
#include <lapidary/parse_json.h>
#include <lapidary/text_file.h>

#include "cli/json_output.h"

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
    const auto check = [&](const char* name, const std::string& expected, const std::string& found) {
        if (expected == found) return;
        fail_input(
            fmt::format("{}: measured on another machine: {} was {}, here it is {}; times of two machines do not "
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
    const nlohmann::json json =
        parse_json(load_text(path, most_bytes), place + ": expected a result of lapidary-cli bench --json");
    if (!json.is_object()) fail_input(place + ": expected a result of lapidary-cli bench --json, found no JSON object");
    if (!any_machine) check_machine(member<nlohmann::json>(json, "machine", place), place);
    for (const nlohmann::json& saved : member<std::vector<nlohmann::json>>(json, "configurations", place)) {
        if (!saved.is_object() || saved.contains("error")) continue;
        Entry entry;
        entry.model = member<std::string>(saved, "model", place);
        RunConfiguration& c = entry.measurement.configuration;
        const auto level = level_from_name(member<std::string>(saved, "level", place));
        if (!level) fail_input(place + ": unknown level " + quote(member<std::string>(saved, "level", place)));
        c.level = *level;
        c.intra = member<int>(saved, "intra", place);
        c.inter = member<int>(saved, "inter", place);
        c.mode = c.inter > 1 ? ExecutionMode::parallel : ExecutionMode::sequential;
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
        entries_.push_back(std::move(entry));
    }
    if (entries_.empty()) fail_input(place + ": the saved result has no measured configuration");
}

const Measurement* Baseline::find(const std::string& model, const RunConfiguration& configuration) const {
    for (const Entry& entry : entries_)
        if (entry.model == model && entry.measurement.configuration == configuration) return &entry.measurement;
    return nullptr;
}

Change change_since(const Measurement& then, const Measurement& now, double most_per_cent) {
    Change change;
    change.difference = difference_between(then, now, false);
    change.per_cent = 100 * (change.difference.ratio.median - 1);
    change.is_regression = change.difference.significant && change.per_cent > most_per_cent;
    return change;
}

}  // namespace lapidary::cli
