// SPDX-License-Identifier: Apache-2.0
#include "cli/output/divergence_text.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "cli/output/comparison_text.h"
#include "cli/output/source_text.h"

namespace lapidary::cli {
namespace {

Json pair_json(const ValuePair& value) {
    Json json = {{"a", value.name_a},
                 {"b", value.name_b},
                 {"body", value.path},
                 {"matched_by", value.matched_by},
                 {"matches", value.matches},
                 {"relative", json_number(value.relative)},
                 {"rounding", json_number(value.rounding)}};
    if (value.alone) json["alone"] = json_number(*value.alone);
    return json;
}

Json cause_json(const DivergenceCause& cause) {
    Json comparison = comparison_json(cause.comparison);
    comparison["name"] = cause.value.name_b;
    Json json = {{"value", pair_json(cause.value)},
                 {"iterations", cause.iterations},
                 {"node_a", cause.node_a},
                 {"node_b", cause.node_b},
                 {"nodes_a", cause.nodes_a},
                 {"nodes_b", cause.nodes_b},
                 {"comparison", std::move(comparison)},
                 {"differences", cause.differences}};
    if (!cause.source_a.is_empty()) json["source_a"] = source_json(cause.source_a);
    if (!cause.source_b.is_empty()) json["source_b"] = source_json(cause.source_b);
    if (cause.explained) json["explained"] = json_number(*cause.explained);
    return json;
}

}  // namespace

void print_lines(std::ostream& out, const std::vector<FoundLine>& lines) {
    constexpr std::size_t width = 9;
    for (const FoundLine& line : lines) {
        std::string title = line.title;
        title.resize(std::max(width, title.size() + 1), ' ');
        out << title << line.text << '\n';
    }
}

Json divergence_json(const Divergence& divergence) {
    Json json = {{"verdict", name_of(divergence.verdict)},
                 {"causes", Json::array()},
                 {"values", Json::array()},
                 {"unmatched_a", divergence.unmatched_a},
                 {"unmatched_b", divergence.unmatched_b},
                 {"kept_bytes", divergence.kept_bytes},
                 {"runs", divergence.runs},
                 {"engine_runs", divergence.engine_runs}};
    for (const DivergenceCause& cause : divergence.causes)
        json["causes"].push_back(cause_json(cause));
    for (const ValuePair& value : divergence.values) json["values"].push_back(pair_json(value));
    return json;
}

}  // namespace lapidary::cli
