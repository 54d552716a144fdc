// SPDX-License-Identifier: Apache-2.0
// One line of edits and the inference after it take less than a tenth of a second on a long graph.
// Undo is no more: it applies the lines before the last to the original, or shows what they made.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lapidary/edit/apply_edits.h>
#include <lapidary/ops/infer.h>

#include "linear/long_graphs.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

constexpr std::int64_t nodes = 10'000;
constexpr double most_seconds = 0.1;

/// Processor seconds of the fastest of three times.
double seconds_of(const Model& original, const std::string& script) {
    double best = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 3; ++turn) {
        Model model = original;
        const EditScript lines = parse_edit_script(script);
        const double begin = test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
        apply_edits(model, lines);
        best = std::min(best, test::cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
    }
    return best;
}

/// Lines about the middle of the model, its input and all of it.
std::vector<std::string> scripts_for(const Model& model) {
    const Graph& graph = model.graph;
    const NodeId middle = graph.nodes()[graph.node_count() / 2];
    const std::string node = "index:" + std::to_string(middle.index);
    const std::string value = edit_word(graph.value(graph.node(middle).outputs[0]).name);
    const std::string input = edit_word(graph.value(graph.inputs()[0]).name);
    return {"insert Identity on " + value,
            "rename value " + value + " -> renamed",
            "rename node * -> part/*",
            "insert Relu before " + node,
            "delete " + node,
            "rename input " + input + " -> image",
            "metadata author = someone"};
}

class EditLinearTime : public testing::TestWithParam<test::LongGraph> {};

TEST_P(EditLinearTime, OneLineOfALongGraphIsShorterThanATenthOfASecond) {
    Model model = GetParam().make(nodes);
    infer_types(model);
    for (const std::string& script : scripts_for(model)) {
        double seconds = 0;
        try {
            seconds = seconds_of(model, script);
        } catch (const std::exception&) {
            continue;  // nodes without names, values of another type
        }
        std::fputs(
            fmt::format("{:26} {:60} {:6.1f} ms\n", GetParam().name, script, seconds * 1e3).c_str(),
            stdout);
        EXPECT_LT(seconds, most_seconds * time_factor) << GetParam().name << ": " << script;
    }
}

std::vector<test::LongGraph> edited_graphs() {
    std::vector<test::LongGraph> graphs;
    for (const test::LongGraph& graph : test::long_graphs())
        for (const std::string_view name :
             {"mul_chain", "residual_convolutions", "residual_chain", "dense_connections",
              "wide_concat", "many_weights", "quantized_chain", "shape_arithmetic"})
            if (graph.name == name) graphs.push_back(graph);
    return graphs;
}

INSTANTIATE_TEST_SUITE_P(Graphs, EditLinearTime, testing::ValuesIn(edited_graphs()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lapidary
