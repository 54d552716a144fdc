// SPDX-License-Identifier: Apache-2.0
#include "cli/output/node_comparison_text.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t printed_rows = 20, printed_ops = 3;

std::string version_of(const ComparedEngineTimes& engine) {
    return engine.version.empty() ? std::string(LAPIDARY_VERSION) : engine.version;
}

Json interval_json(const MedianEstimate& estimate) {
    return Json::array({json_number(estimate.low), json_number(estimate.high)});
}

Json ms_json(const std::optional<double>& ms) { return ms ? json_number(*ms) : Json(); }

Json side_json(const ComparedEngineTimes& engine, Level level) {
    return {{"engine", engine.name},
            {"version", version_of(engine)},
            {"path", engine.place.string()},
            {"level", name_of(level)},
            {"wall_ms", json_number(engine.wall_ms)},
            {"kernel_ms", json_number(engine.kernel_ms)}};
}

std::string ms_text(const std::optional<double>& ms) {
    return ms ? fmt::format("{:.3f}", *ms) : std::string("-");
}

std::string ops_text(const ComparedGroup& group) {
    std::string text;
    for (std::size_t i = 0; i < std::min(group.ops.size(), printed_ops); ++i)
        text += (i > 0 ? " + " : "") + group.ops[i];
    if (group.ops.size() > printed_ops) text += " + ...";
    return text;
}

std::string name_text(const ComparedGroup& group) {
    if (group.nodes.size() < 2) return group.name;
    return fmt::format("{} and {} more", group.name, group.nodes.size() - 1);
}

void print_side(std::ostream& out, const char* side, const ComparedEngineTimes& engine,
                Level level) {
    out << side << "  " << plain(engine.name) << ' ' << plain(version_of(engine)) << ", level "
        << name_of(level) << fmt::format(": {:.3f} ms a run", engine.wall_ms);
    if (!engine.place.empty()) out << " (" << plain(engine.place.string()) << ')';
    out << '\n';
}

}  // namespace

Json node_comparison_json(const NodeComparison& comparison, const std::vector<Level>& levels) {
    Json json = {{"by", "node"},
                 {"a", side_json(comparison.a, levels.at(0))},
                 {"b", side_json(comparison.b, levels.at(1))},
                 {"pairs", comparison.pairs},
                 {"difference_ms", json_number(comparison.difference.median)},
                 {"ci_ms", interval_json(comparison.difference)},
                 {"significant", comparison.is_shown},
                 {"sentences", comparison.sentences},
                 {"groups", Json::array()}};
    for (const ComparedGroup& group : comparison.groups)
        json["groups"].push_back({{"name", group.name},
                                  {"operators", group.ops},
                                  {"nodes", group.node_names},
                                  {"a_ms", ms_json(group.a_ms)},
                                  {"b_ms", ms_json(group.b_ms)},
                                  {"difference_ms", json_number(group.difference.median)},
                                  {"ci_ms", interval_json(group.difference)},
                                  {"significant", group.is_shown}});
    return json;
}

void print_node_comparison(std::ostream& out, const NodeComparison& comparison,
                           const std::vector<Level>& levels) {
    print_side(out, "A", comparison.a, levels.at(0));
    print_side(out, "B", comparison.b, levels.at(1));
    const MedianEstimate& whole = comparison.difference;
    out << fmt::format("whole run  {:+.3f} ms [{:+.3f}, {:+.3f}], {}, {} pairs, profiled\n",
                       whole.median, whole.low, whole.high,
                       comparison.is_shown ? "a difference" : "no difference beyond noise",
                       comparison.pairs);
    for (const std::string& sentence : comparison.sentences) out << plain(sentence) << '\n';
    TextTable table({"node or group", "operators", "A ms", "B ms", "B - A", "from", "to", ""},
                    {0, 1, 7});
    for (std::size_t i = 0; i < std::min(comparison.groups.size(), printed_rows); ++i) {
        const ComparedGroup& group = comparison.groups[i];
        const MedianEstimate& d = group.difference;
        table.add({plain(name_text(group)), plain(ops_text(group)), ms_text(group.a_ms),
                   ms_text(group.b_ms), fmt::format("{:+.3f}", d.median),
                   fmt::format("{:+.3f}", d.low), fmt::format("{:+.3f}", d.high),
                   group.is_shown ? "differs" : ""});
    }
    table.print(out);
    if (comparison.groups.size() > printed_rows)
        out << "  ... " << comparison.groups.size() - printed_rows << " more, all with --json\n";
}

}  // namespace lapidary::cli
