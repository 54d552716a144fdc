// SPDX-License-Identifier: Apache-2.0
// What functions would expand to is counted before anything is expanded.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>

#include "graph/inline_functions.h"
#include "graph/verify.h"
#include "support/cpu_clock.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

Function function_of(std::string name, const std::string& callee, int calls) {
    std::string body = "(v0: f32[...]) -> (v" + std::to_string(calls) + ")\n";
    for (int i = 0; i < calls; ++i)
        body += "v" + std::to_string(i + 1) + " = " + callee + "(v" + std::to_string(i) + ")\n";
    Function function;
    function.domain = "local";
    function.name = std::move(name);
    function.opset_imports = {{"", 17}, {"local", 1}};
    function.body = std::make_shared<Graph>(parse_graph(body));
    return function;
}

/// One call of a function that calls another one so many times, which does the same with a third,
/// which is a Relu.
Model nested(int calls) {
    Model model;
    model.opset_imports = {{"", 17}, {"local", 1}};
    model.functions = {function_of("F0", "Relu", 1), function_of("F1", "local::F0", calls),
                       function_of("F2", "local::F1", calls)};
    model.graph = parse_graph("(x: f32[2]) -> (y)\ny = local::F2(x)\n");
    return model;
}

// Three calls of three Relus: 3 * 1 for each F1, 3 * (3 + 3) for F2, and 9 more in the main graph.
TEST(FunctionCalls, AreExpandedUpToTheLimit) {
    constexpr std::size_t made = 3 * (3 + 3) + 9;
    Limits limits;
    limits.inlined_nodes = made;
    Model model = nested(3);
    inline_functions(model, limits);
    verify(model);
    EXPECT_EQ(model.graph.node_count(), 9u);

    limits.inlined_nodes = made - 1;
    Model refused = nested(3);
    try {
        inline_functions(refused, limits);
        FAIL() << "it was expanded";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::limit_exceeded);
        EXPECT_EQ(error.message(),
                  "with every function call expanded the model would have 9 nodes, 27 made on the "
                  "way; the limit is 26");
    }
    EXPECT_EQ(refused.graph.node_count(), 1u);
}

TEST(FunctionCalls, ABombIsRefusedByCounting) {
    Model model = nested(1000);
    const double start = test::thread_cpu_seconds();
    EXPECT_THROW(inline_functions(model, {}), Error);
    EXPECT_LT(test::thread_cpu_seconds() - start, 0.5 * wall_factor);
}

TEST(FunctionCalls, ExpandingLooksAtTheToken) {
    Model model = nested(100);
    const CancelToken token;
    token.cancel();
    try {
        inline_functions(model, {}, token);
        FAIL() << "it was expanded";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
}

}  // namespace
}  // namespace lapidary
