// SPDX-License-Identifier: Apache-2.0
// What a search for a first difference says of each value along the graph, and of one output alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

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
    const Divergence found = search("1.5");
    const std::vector<FoundLine> lines = lines_of(found);
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines[0].title, "DIFFERS") << "the verdict comes first";
    EXPECT_EQ(lines[1].title, "cause");
    EXPECT_NE(lines[1].text.find("\"scale\""), std::string::npos) << lines[1].text;
    EXPECT_EQ(lines.back().title, "values") << "and the counts last";
    const auto says = [&](const std::string& part) {
        return std::ranges::any_of(lines, [&](const FoundLine& line) {
            return line.text.find(part) != std::string::npos;
        });
    };
    EXPECT_TRUE(says("differs in 1 of 4 elements"));
    ASSERT_EQ(found.causes.size(), 1u);
    EXPECT_EQ(found.causes[0].value.rounding, value_of(found, "s").rounding);
    EXPECT_TRUE(says(fmt::format("rounding explains up to {:.3g}", value_of(found, "s").rounding)))
        << "the same figure as in the curve";
}

TEST(DifferenceCurve, SameNamesTheTolerance) {
    const std::vector<FoundLine> lines = lines_of(search("1.0"));
    EXPECT_EQ(lines[0].title, "SAME");
    EXPECT_NE(lines[0].text.find("(rtol 0.001, atol 1e-05)"), std::string::npos) << lines[0].text;
    EXPECT_NE(
        lines_of(search("1.0"), same_result_within(0.25, 2))[0].text.find("rtol 0.25, atol 2"),
        std::string::npos);
    EXPECT_EQ(lines.back().title, "values");
}

}  // namespace
}  // namespace lapidary
