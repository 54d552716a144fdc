// SPDX-License-Identifier: Apache-2.0
// What a search for a first difference says of each value along the graph, and of one output alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inspect/difference_text.h>
#include <lapidary/inspect/first_difference.h>

namespace lapidary {
namespace {

DivergenceSide side_of_text(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    DivergenceSide side{std::move(model), {}, {}};
    side.session.session_passes.set = SessionPasses::Set::none;
    return side;
}

/// Two branches; `scale` is a weight of the second one.
std::string two_branches(const std::string& scale) {
    return "(x: f32[4]) -> (left, right)\n"
           "h = Mul(x, w: f32[4]{1.5, 2.5, 3.5, 0.5}) as \"shared\"\n"
           "left = Tanh(h) as \"left\"\n"
           "s = Mul(h, v: f32[4]{1.0, " +
           scale +
           ", 1.0, 1.0}) as \"scale\"\n"
           "right = Sigmoid(s) as \"right\"\n";
}

Divergence search(const std::string& scale, const std::string& output = {}) {
    DivergenceOptions options;
    options.output = output;
    return find_first_difference(side_of_text(two_branches("1.0")),
                                 side_of_text(two_branches(scale)),
                                 {{"x", Tensor::of<float>({4}, {1, -2, 3, 0.25f})}}, options);
}

const ValuePair& value_of(const Divergence& found, const std::string& name) {
    const auto at = std::ranges::find(found.values, name, &ValuePair::name_a);
    if (at == found.values.end()) fail_input("no value " + name);
    return *at;
}

TEST(DifferenceCurve, HasTheErrorOfTheRunsAndOfEachNodeAlone) {
    const Divergence found = search("1.5");
    ASSERT_EQ(found.verdict, DivergenceVerdict::differs);
    ASSERT_EQ(found.values.size(), 4u);
    EXPECT_EQ(value_of(found, "h").relative, 0);
    EXPECT_EQ(value_of(found, "h").alone.value_or(1), 0);
    const ValuePair& scaled = value_of(found, "s");
    EXPECT_GT(scaled.relative, 0.1);
    EXPECT_DOUBLE_EQ(scaled.alone.value_or(0), scaled.relative);
    EXPECT_GT(scaled.rounding, 0);
    EXPECT_LT(scaled.rounding, 1e-3);
    // It follows from what came before: alone it makes the same.
    const ValuePair& last = value_of(found, "right");
    EXPECT_GT(last.relative, 0);
    ASSERT_TRUE(last.alone.has_value());
    EXPECT_LE(*last.alone, last.rounding);
}

TEST(DifferenceCurve, NothingIsJudgedAloneWhereAllAgrees) {
    const Divergence found = search("1.0");
    EXPECT_EQ(found.verdict, DivergenceVerdict::same);
    for (const ValuePair& value : found.values) EXPECT_FALSE(value.alone) << value.name_a;
}

TEST(DifferenceCurve, OfOneOutputOnlyWhatItIsComputedFrom) {
    const Divergence left = search("1.5", "left");
    EXPECT_EQ(left.verdict, DivergenceVerdict::same);
    EXPECT_EQ(left.values.size(), 2u) << "h and left";
    const Divergence right = search("1.5", "right");
    ASSERT_EQ(right.verdict, DivergenceVerdict::differs);
    EXPECT_EQ(right.causes[0].node_b, "scale");
    EXPECT_EQ(right.values.size(), 3u) << "all but left";
    EXPECT_THROW(search("1.5", "h"), Error) << "no output";
    EXPECT_THROW(search("1.5", "middle"), Error);
}

TEST(DifferenceCurve, LinesNameTheCauseAndWhatDiffers) {
    const std::vector<FoundLine> lines = lines_of(search("1.5"));
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines[0].title, "values");
    EXPECT_EQ(lines[1].title, "DIFFERS");
    EXPECT_EQ(lines[2].title, "cause");
    EXPECT_NE(lines[2].text.find("\"scale\""), std::string::npos) << lines[2].text;
    EXPECT_TRUE(std::ranges::any_of(lines, [](const FoundLine& line) {
        return line.text.find("differs in 1 of 4 elements") != std::string::npos;
    }));
    EXPECT_EQ(lines_of(search("1.0"))[1].title, "SAME");
}

}  // namespace
}  // namespace lapidary
