// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_diff.h>
#include <lapidary/graph/graph_text.h>

#include "graph/verify.h"

namespace lapidary {
namespace {

class GraphText : public testing::TestWithParam<const char*> {};

TEST_P(GraphText, PrintsWhatItParses) {
    const Graph g = parse_graph(GetParam());
    verify(g);
    const std::string text = print_graph(g);
    const Graph again = parse_graph(text);
    const auto found = differences(g, again);
    EXPECT_TRUE(found.empty()) << found.front() << "\n" << text;
    EXPECT_EQ(print_graph(again), text);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GraphText,
    testing::Values(
        "(x: f32[1,3,8,8]) -> (y)\ny = Relu(x)",
        "(x: f32[batch,?], n: i64[]) -> (y)\ny = com.microsoft::Gelu(x) {a: 1.5} as \"g\"",
        "() -> (k)\nk = Constant() {value: i64[2]{3, -4}}",
        "(x: f32[...]) -> (a, b)\na, b = Split(x, s: i64[2]{1, 1}) {axis: 1, names: [\"p\", "
        "\"q\\\"r\"], "
        "fs: [1.0, 2.5]}",
        "(x: f32[2]) -> (y)\ny = Clip(x, _, m: f32[]{6.0})", "() -> (w: f32[2]{1.0, 2.0})\n",
        "(x: seq(f32[?]), o: optional(i64[2])) -> (y)\ny = SequenceAt(x, i: i64[]{0})",
        "(\"odd name\": f32[2]) -> (y)\ny = Clip@6(\"odd name\") {min: 0.0, max: 1e+20}",
        "(c: bool[], x: f32[2]) -> (y)\ny = If(c) {then_branch: graph { () -> (t)\nt = Neg(x)\n}, "
        "else_branch: graph { () -> (e)\ne "
        "= Add(x, w: f32[2]{1.0, 2.0})\n}}"));

TEST(GraphTextErrors, NamePlace) {
    try {
        parse_graph("(x: f32[2]) -> (y)\ny = Relu(ghost)");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.where().front(), "line 2, column 15");
        EXPECT_NE(std::string(e.what()).find("\"ghost\" is not defined"), std::string::npos)
            << e.what();
    }
    EXPECT_THROW(parse_graph("(x: f99[2]) -> (y)"), Error);
    EXPECT_THROW(parse_graph("(x: f32[2]) -> (y)\ny = Relu(x"), Error);
    EXPECT_THROW(parse_graph("(x: f32[2]) -> (y)\ny = Relu(x)\ny = Neg(x)"), Error);
}

TEST(GraphTextErrors, NumbersThatNoTypeHoldsAreRefused) {
    const std::string with_constant = "(x: f32[2]) -> (y)\ny = Add(x, k: ";
    for (const char* constant : {"u64[1]{18446744073709551616}", "u64[1]{-1}", "u64[1]{a}",
                                 "f32[9223372036854775807]", "f32[4294967296,4294967296]"})
        EXPECT_THROW(parse_graph(with_constant + constant + ")"), Error) << constant;
    for (const char* name : {R"("\xzz")", R"("\x4")", R"("\x)"})
        EXPECT_THROW(parse_graph("(x: f32[2]) -> (y)\ny = Relu(x) as " + std::string(name)), Error)
            << name;
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "seq(";
    EXPECT_THROW(parse_graph("(x: " + deep), Error);
}

TEST(GraphText, GeneratedConstantsRepeat) {
    const char* text = "() -> (y)\ny = Relu(w: f32[64])";
    EXPECT_TRUE(differences(parse_graph(text), parse_graph(text)).empty());
}

}  // namespace
}  // namespace lapidary
