// SPDX-License-Identifier: Apache-2.0
#include "cli/output/comparison_text.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/proof/choose_compute.h>

#include "cli/output/value_text.h"

namespace lapidary::cli {

bool all_match(const std::vector<OutputComparison>& outputs) {
    return std::ranges::all_of(
        outputs, [](const OutputComparison& output) { return output.comparison.matches; });
}

Json comparison_json(const Comparison& c) {
    return {{"matches", c.matches},
            {"reason", c.reason},
            {"elements", c.elements},
            {"mismatches", c.mismatches},
            {"max_abs", json_number(c.max_abs)},
            {"max_rel", json_number(c.max_rel)},
            {"magnitude", json_number(c.magnitude)},
            {"relative", json_number(c.relative())},
            {"sqnr_db", json_number(c.sqnr_db)},
            {"cosine", json_number(c.cosine)}};
}

Json lowered_json(const LoweredPrecision& lowered) {
    Json json = {{"how", rounds_nothing(lowered) ? "nothing" : text_of(lowered.by)},
                 {"outputs", Json::array()}};
    if (!lowered.problem.empty()) json["reason"] = lowered.problem;
    for (const LoweredOutput& output : lowered.outputs) {
        Json one = comparison_json(output.comparison);
        one["name"] = output.name;
        if (output.answers > 0) {
            one["answers"] = output.answers;
            one["changed_answers"] = output.changed_answers;
        }
        json["outputs"].push_back(std::move(one));
    }
    return json;
}

const std::vector<std::string>& comparison_columns() {
    static const std::vector<std::string> columns{"max abs", "of largest", "SQNR dB", "cosine",
                                                  "result"};
    return columns;
}

std::vector<std::string> comparison_cells(const Comparison& c) {
    return {fmt::format("{:.3g}", c.max_abs), fmt::format("{:.1e}", c.relative()),
            fmt::format("{:.1f}", c.sqnr_db), fmt::format("{:.6f}", c.cosine),
            c.matches ? "ok" : fmt::format("DIFFERS in {} of {}", c.mismatches, c.elements)};
}

void print_outputs(std::ostream& out, const std::vector<OutputComparison>& outputs) {
    std::vector<std::string> titles{"output"};
    titles.insert(titles.end(), comparison_columns().begin(), comparison_columns().end());
    TextTable table(titles, {0, titles.size() - 1});
    for (const OutputComparison& output : outputs) {
        std::vector<std::string> row{plain(output.name)};
        std::ranges::move(comparison_cells(output.comparison), std::back_inserter(row));
        table.add(std::move(row));
    }
    table.print(out);
    for (const OutputComparison& output : outputs)
        if (!output.comparison.reason.empty())
            out << "  " << plain(output.name) << ": " << plain(output.comparison.reason) << '\n';
}

}  // namespace lapidary::cli
