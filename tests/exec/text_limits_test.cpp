// SPDX-License-Identifier: Apache-2.0
// Characters of strings count in the limits of tensors, runs and folding, whichever operator copies
// them.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/exec/session.h>

#include "interposed.h"

namespace lapidary {
namespace {

constexpr std::size_t long_text = 1'000'000;

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 21;
    model.graph = parse_graph(text, {.opset = 21});
    infer_types(model);
    return model;
}

std::string refusal_of(const std::string& text, const NamedValues& inputs, const Limits& limits) {
    SessionOptions options;
    options.limits = limits;
    try {
        Session session = Session::compile(std::make_shared<const Model>(model_of(text)), options);
        session.run(inputs);
        return {};
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::limit_exceeded) << error.what();
        return error.what();
    }
}

NamedValues long_string() {
    return {{"x", Tensor::of<std::string>({1}, {std::string(long_text, 'x')})}};
}

TEST(TextLimits, NoOperatorMakesMoreOfAStringThanATensorMayHold) {
    // Each makes at least fifty copies of one string of a megabyte: the size of the tensor's
    // elements alone is small.
    const std::map<std::string, std::string> calls{
        {"Expand", "y = Expand(x, n: i64[1]{60})"},
        {"Tile", "y = Tile(x, n: i64[1]{60})"},
        {"Gather", "i = Expand(zero: i64[1]{0}, n: i64[1]{60})\ny = Gather(x, i)"},
        {"Concat",
         "a = Concat(x, x, x, x, x, x, x, x) {axis: 0}\ny = Concat(a, a, a, a, a, a, a, a) {axis: "
         "0}"},
        {"Where", "y = Where(c: bool[60], x, x)"},
        {"StringConcat",
         "a = StringConcat(x, x)\nb = StringConcat(a, a)\nc = StringConcat(b, b)\nd = "
         "StringConcat(c, c)\n"
         "e = StringConcat(d, d)\ny = StringConcat(e, e)"},
    };
    Limits limits;
    limits.tensor_bytes = 40 * long_text;
    for (const auto& [name, text] : calls) {
        const std::string graph = "(x: string[1]) -> (y)\n" + text;
        EXPECT_NE(
            refusal_of(graph, long_string(), limits).find("strings of an output take more than"),
            std::string::npos)
            << name << ": " << refusal_of(graph, long_string(), limits);
        EXPECT_EQ(refusal_of(graph, long_string(), {}), "") << name;
    }
}

TEST(TextLimits, StringsHaveALimitOfTheirOwnBelowThatOfTheMachine) {
    // 600 copies of a megabyte exceed the limit and are refused before they are made.
    const std::string graph = "(x: string[1]) -> (y)\ny = Tile(x, n: i64[1]{600})";
    EXPECT_NE(refusal_of(graph, long_string(), {})
                  .find("536870912 bytes, the limit for the strings of one tensor"),
              std::string::npos)
        << refusal_of(graph, long_string(), {});
}

TEST(TextLimits, PiecesOfAStringAreAskedForBeforeTheyTakeMemory) {
    if (!test::can_count()) GTEST_SKIP() << "the sanitizer stands in for the allocator";
    SessionOptions options;
    options.limits.tensor_bytes = 40 * long_text;
    Session session = Session::compile(
        std::make_shared<const Model>(
            model_of("(x: string[1]) -> (y, n)\ny, n = StringSplit(x) {delimiter: \",\"}")),
        options);
    const NamedValues commas{
        {"x", Tensor::of<std::string>({1}, {std::string(4 * long_text, ',')})}};
    std::string refusal;
    test::begin_counting();
    try {
        session.run(commas);
    } catch (const Error& error) { refusal = error.what(); }
    const test::Counted counted = test::end_counting();
    EXPECT_NE(refusal.find("a tensor string[1,4000001] takes"), std::string::npos) << refusal;
    EXPECT_LT(counted.bytes, 2 * long_text);
}

TEST(TextLimits, StringsOfARunCountTogether) {
    Limits limits;
    limits.run_bytes = 20 * long_text;
    const std::string graph =
        "(x: string[1]) -> (a, b, c, d)\na = Tile(x, n: i64[1]{6})\nb = StringConcat(a, x)\n"
        "c = StringConcat(b, x)\nd = StringConcat(c, x)";
    EXPECT_NE(refusal_of(graph, long_string(), limits).find("the limit for a session"),
              std::string::npos)
        << refusal_of(graph, long_string(), limits);
    EXPECT_EQ(refusal_of(graph, long_string(), {}), "");
}

TEST(TextLimits, FoldingStopsAtItsLimit) {
    std::string text =
        "() -> (y)\nx0 = Constant() {value_string: \"" + std::string(1000, 'x') + "\"}\n";
    for (int i = 0; i < 16; ++i) {
        const std::string from = "x" + std::to_string(i);
        text += (i == 15 ? "y" : "x" + std::to_string(i + 1)) + " = StringConcat(" + from + ", " +
                from + ")\n";
    }
    OptimizeOptions options;
    options.level = Level::basic;
    options.limits.fold_bytes = 1'000'000;
    const OptimizeResult result = optimize(model_of(text), options);
    std::size_t largest = 0;
    for (const ValueId id : result.model.graph.initializers())
        if (const auto& constant = result.model.graph.value(id).constant;
            constant && constant->dtype() == DType::string)
            for (const std::string& s : constant->data<std::string>())
                largest = std::max(largest, s.size());
    EXPECT_GT(largest, 10'000u) << "what fits is folded";
    EXPECT_LE(largest, 1'000'000u);
    EXPECT_GT(result.model.graph.nodes().size(), 0u);
}

}  // namespace
}  // namespace lapidary
