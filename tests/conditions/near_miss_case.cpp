// SPDX-License-Identifier: Apache-2.0
#include "conditions/near_miss_case.h"

#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>

namespace lapidary {
namespace {

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& s : list) text += (text.empty() ? "" : ", ") + s;
    return text;
}

/// Leaves out long lists of weights, for which the reader of the case generates values.
std::string without_long_weights(const std::string& graph) {
    static const std::regex list(R"((f16|bf16|f32|f64|u8|i8)(\[[0-9,]*\])\{([^,}]*,){8,}[^}]*\})");
    return std::regex_replace(graph, list, "$1$2");
}

bool runs_by_itself(const test::PassCase& c) {
    try {
        const Model model = test::model_of(c.before, c.opset);
        test::compare_runs(model, model, {}, 1, c.dimensions);
        return true;
    } catch (const Error&) { return false; }
}

}  // namespace

std::string reported_by_case(const test::PassCase& c) {
    const OptimizeResult result = optimize(test::model_of(c.before, c.opset), test::options_of(c));
    std::string text = test::structure_of(result.model.graph);
    for (const AppliedRewrite& r : result.report.rewrites) text += r.rewrite.pass + "\n";
    if (c.unchanged ? c.missed_at_most >= 0 : c.missed.empty() && !c.after.empty()) return text;
    for (const NearMiss& m : result.report.near_misses)
        text += "missed " + m.pass + ": " + m.reason + "\n";
    return text;
}

std::string case_text(const lapgen::Neighbour& neighbour) {
    test::PassCase c = neighbour.pass_case;
    c.before = without_long_weights(c.before);
    const OptimizeResult result = optimize(test::model_of(c.before, c.opset), test::options_of(c));
    std::string text = "# case: " + c.name.substr(c.name.find(": ") + 2) +
                       (neighbour.step.empty() ? "" : ": " + neighbour.step) + "\n";
    if (!c.passes.empty()) text += "# passes: " + joined(c.passes) + "\n";
    if (!c.level.empty()) text += "# level: " + c.level + "\n";
    if (!c.enable.empty()) text += "# enable: " + joined(c.enable) + "\n";
    if (c.opset != 17) text += fmt::format("# opset: {}\n", c.opset);
    if (c.provider != "cpu") text += "# provider: " + c.provider + "\n";
    if (c.block != 0) text += fmt::format("# block: {}\n", c.block);
    if (c.tolerance != 1e-4) text += fmt::format("# tolerance: {}\n", c.tolerance);
    for (const auto& [symbol, size] : c.dimensions)
        text += fmt::format("# dimension: {} = {}\n", symbol, size);
    if (!c.runs || !runs_by_itself(c)) text += "# not run\n";
    GraphTextOptions options;
    options.opset = c.opset;
    options.printed_elements = lapgen::most_printed_elements;
    text += c.before;
    if (result.report.rewrites.empty()) text += "# unchanged\n";
    else text += "# after\n" + without_long_weights(print_graph(result.model.graph, options));
    for (const AppliedRewrite& r : result.report.rewrites)
        text += "# applied: " + r.rewrite.pass + "\n";
    for (const NearMiss& m : result.report.near_misses)
        text += "# missed: " + m.pass + ": " + m.reason + "\n";
    if (result.report.near_misses.empty() && !result.report.rewrites.empty())
        text += "# missed at most: 0\n";
    return text;
}

std::string write_and_check(const std::filesystem::path& folder, const std::string& text) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "case.graph") << text;
    const std::vector<test::PassCase> read = test::read_pass_cases(folder);
    return read.size() == 1 ? test::check_pass_case(read[0]) : "not one case";
}

}  // namespace lapidary
