// SPDX-License-Identifier: Apache-2.0
#include "cli/ci/ci_baseline.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/bench/bench.h>
#include <lapidary/internal/text_file.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {
namespace {

using Kind = LocatedJson::Kind;

constexpr std::uint64_t most_baseline_bytes = std::uint64_t{64} << 20;
constexpr double most_saved_bytes = 1e18;              // bytes of a figure
constexpr double most_saved_whole = 9007199254740992;  // that a double has exactly
constexpr double most_saved_threads = 1e6;
constexpr double most_saved_share = 2;  // more than any share is

const LocatedJson& expected_in(const LocatedJson& object, std::string_view name, Kind kind,
                               const std::string& place) {
    const LocatedJson* found = object.is(Kind::object) ? object.find(name) : nullptr;
    if (!found || !found->is(kind))
        fail_input(
            fmt::format("{}, line {}: expected what lapidary-cli ci --update-baseline "
                        "writes, but {} is missing or of another kind",
                        place, object.line, quote(name)));
    return *found;
}

/// A number that can be what is saved. Refuses others, which would give odd verdicts and texts.
double saved_number(const LocatedJson& value, std::string_view name, double least, double most,
                    const std::string& place) {
    if (!value.is(Kind::number) || !(value.number >= least && value.number <= most))
        fail_input(
            fmt::format("{}, line {}: expected what lapidary-cli ci --update-baseline "
                        "writes, but {} is no number from {} to {}",
                        place, value.line, quote(name), least, most));
    return value.number;
}

std::optional<double> figure_in(const LocatedJson& level, std::string_view name, double least,
                                double most, const std::string& place) {
    const LocatedJson* found = level.find(name);
    if (!found || found->is(Kind::null)) return std::nullopt;
    return saved_number(*found, name, least, most, place);
}

/// What is not the same machine; empty: it is the same.
std::string machine_difference(const LocatedJson& machine, const std::string& place) {
    const MachineInfo here = machine_info();
    const auto differs = [&](std::string_view name, const std::string& was,
                             const std::string& is) -> std::string {
        if (was == is) return {};
        return fmt::format(
            "the baseline was measured on another machine, whose {} is {}, here it "
            "is {}: times and memory of two machines do not compare",
            name, quote(was), quote(is));
    };
    for (const std::string& found :
         {differs("cpu", expected_in(machine, "cpu", Kind::text, place).text, here.cpu),
          differs("isa", expected_in(machine, "isa", Kind::text, place).text, here.isa),
          differs("number of cores",
                  fmt::format("{:g}", expected_in(machine, "cores", Kind::number, place).number),
                  std::to_string(here.cores))})
        if (!found.empty()) return found;
    return {};
}

std::string sizes_in_words(const std::map<std::string, std::int64_t>& sizes) {
    std::string text;
    for (const auto& [name, size] : sizes)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, size);
    return text.empty() ? "none" : text;
}

/// What of the conditions is not as the file asks; empty: nothing.
std::string condition_difference(const LocatedJson& ci, const CiModel& model,
                                 const std::string& place) {
    const auto threads = static_cast<int>(saved_number(
        expected_in(ci, "threads", Kind::number, place), "threads", 1, most_saved_threads, place));
    const int here = model.threads.value_or(machine_info().cores);
    if (threads != here)
        return fmt::format("the baseline was measured with {}, here there are {}",
                           count_text(threads, "thread", "threads"), here);
    std::map<std::string, std::int64_t> dimensions;
    const LocatedJson& saved = expected_in(ci, "dimensions", Kind::object, place);
    for (std::size_t i = 0; i < saved.names.size(); ++i)
        dimensions[saved.names[i]] = static_cast<std::int64_t>(
            saved_number(saved.items[i], saved.names[i], 0, most_saved_whole, place));
    if (dimensions != model.dimensions)
        return fmt::format(
            "the baseline was measured with other dimensions: they were {}, here "
            "they are {}",
            sizes_in_words(dimensions), sizes_in_words(model.dimensions));
    return {};
}

}  // namespace

CiBaseline::CiBaseline(const std::filesystem::path& file, const CiModel& model) {
    const std::string place = file.string();
    const LocatedJson json = parse_located_json(load_text(file, most_baseline_bytes), place);
    const LocatedJson& ci = expected_in(json, "ci", Kind::object, place);
    const LocatedJson& levels = expected_in(ci, "levels", Kind::object, place);
    for (std::size_t i = 0; i < levels.names.size(); ++i) {
        const LocatedJson& saved = levels.items[i];
        CiFigures& figures = levels_[levels.names[i]];
        figures.memory_bytes = figure_in(saved, "memory_bytes", 1, most_saved_bytes, place);
        figures.file_bytes = figure_in(saved, "file_bytes", 1, most_saved_bytes, place);
        figures.accuracy = figure_in(saved, "accuracy", -most_saved_share, most_saved_share, place);
        figures.samples = figure_in(saved, "samples", 0, most_saved_whole, place).value_or(0);
        if (const LocatedJson* metric = saved.find("metric")) figures.metric = metric->text;
    }
    why_not_ = machine_difference(expected_in(json, "machine", Kind::object, place), place);
    if (why_not_.empty()) why_not_ = condition_difference(ci, model, place);
    if (why_not_.empty() &&
        std::ranges::none_of(model.levels, [&](Level level) { return find(level) != nullptr; }))
        why_not_ = "the baseline has none of these levels";
}

const CiFigures* CiBaseline::find(Level level) const {
    const auto found = levels_.find(std::string(name_of(level)));
    return found == levels_.end() ? nullptr : &found->second;
}

void save_ci_baseline(const std::filesystem::path& file, const CiModel& model,
                      const std::string& bench, const CiLevels& levels) {
    Json json = json_from_text(bench, "bench");
    Json saved = Json::object();
    const auto add = [](Json& to, const char* name, const std::optional<double>& figure) {
        if (figure) to[name] = *figure;
    };
    for (const auto& [name, figures] : levels) {
        Json level = Json::object();
        add(level, "memory_bytes", figures.memory_bytes);
        add(level, "file_bytes", figures.file_bytes);
        add(level, "accuracy", figures.accuracy);
        if (figures.accuracy) {
            level["metric"] = figures.metric;
            level["samples"] = figures.samples;
        }
        saved[name] = level;
    }
    json["ci"] = {{"threads", model.threads.value_or(machine_info().cores)},
                  {"dimensions", model.dimensions},
                  {"levels", saved}};
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    if (failed)
        fail(ErrorCode::io_failure, fmt::format("{}: the folder cannot be made: {}",
                                                file.parent_path().string(), failed.message()));
    save_text(file, json.dump(1) + '\n');
}

}  // namespace lapidary::cli
