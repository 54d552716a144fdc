// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/profile/trace_match.h>

#include "support/pass_harness.h"

namespace lapidary {
namespace {

Span kernel(Profile& profile, const std::string& name, const std::string& op, std::int64_t begin,
            std::int64_t end, NodeId node = {}) {
    Span s;
    s.label = profile.labels.add({.name = name, .op = op});
    s.begin_ns = begin;
    s.end_ns = end;
    s.node = node;
    return s;
}

class TraceMatchTest : public testing::Test {
protected:
    NodeId node(const std::string& name) const {
        for (NodeId id : model_.graph.nodes())
            if (model_.graph.node(id).name == name) return id;
        return {};
    }
    NodeId matched(const std::string& name, NodeId claimed = {}, const char* op = "Conv") {
        Profile profile;
        profile.runs = 1;
        profile.kernels.push_back(kernel(profile, name, op, 0, 1'000'000, claimed));
        last_ = match_trace(profile, model_.graph);
        return profile.kernels[0].node;
    }
    Model model_ = test::model_of(R"((x: f32[1,3,8,8]) -> (y)
        conv_out = Conv(x, f: f32[4,3,3,3]) as "/features/conv.0/Conv"
        relu_out = Relu(conv_out) as "/features/conv.0/Relu"
        a = Mul(relu_out, relu_out) as "twin"
        b = Mul(a, relu_out) as "twin"
        y = Neg(b))");
    TraceMatch last_;
};

TEST_F(TraceMatchTest, FindsNodesByTheNamesOfOnnxRuntime) {
    const NodeId conv = node("/features/conv.0/Conv"), relu = node("/features/conv.0/Relu");
    ASSERT_TRUE(conv && relu);
    EXPECT_EQ(matched("/features/conv.0/Conv"), conv);
    EXPECT_EQ(last_.matched, 1u);
    EXPECT_EQ(matched("fused /features/conv.0/Conv"), conv);
    EXPECT_EQ(matched("/features/conv.0/Conv/ConvActivationFusion/"), conv);
    EXPECT_EQ(matched("/features/conv.0/Conv/LayerNormFusion"), conv);
    EXPECT_EQ(matched("relu_out_nchwc"), conv)
        << "named after the value that it writes, and a Conv";
    EXPECT_EQ(matched("relu_out_nchwc", {}, "Relu"), relu);
    EXPECT_EQ(matched("relu_out_nchwc", {}, "MaxPool"), relu) << "no such operator before it";
    EXPECT_EQ(matched("/features/conv.0/Conv_nchwc"), conv);
    EXPECT_EQ(matched("/features/conv.0/Relu_token_17"), relu);
}

// Both convolutions could be the one that took the sum in.
TEST_F(TraceMatchTest, StaysAtTheValueWhereTwoNodesCouldBeMeant) {
    model_ = test::model_of(R"((x: f32[1,3,8,8]) -> (y)
        left = Conv(x, f: f32[4,3,3,3])
        right = Conv(x, g: f32[4,3,3,3])
        sum = Add(left, right) as "sum"
        relu = Relu(sum) as "relu"
        y = Neg(relu))");
    EXPECT_EQ(matched("relu_nchwc"), node("relu"));
}

TEST_F(TraceMatchTest, BelievesIdsWhereTheNameAgrees) {
    const NodeId neg = model_.graph.nodes().back(), conv = node("/features/conv.0/Conv");
    EXPECT_EQ(matched("Neg_" + std::to_string(neg.index), neg), neg);
    EXPECT_EQ(matched("/features/conv.0/Conv", neg), conv)
        << "of another variant, where the id is another node's";
    EXPECT_EQ(matched("Elsewhere", NodeId(5000)), NodeId());
}

TEST_F(TraceMatchTest, SaysWhyAKernelIsNoNode) {
    EXPECT_FALSE(matched("twin"));
    ASSERT_EQ(last_.unmatched.size(), 1u);
    EXPECT_EQ(last_.unmatched[0].reason, "2 nodes of the open model have this name.");
    EXPECT_DOUBLE_EQ(last_.unmatched[0].ms, 1);
    EXPECT_FALSE(matched("BiasGelu"));
    EXPECT_NE(last_.unmatched[0].reason.find("after their operator"), std::string::npos);
    EXPECT_FALSE(matched("/other/model/Conv"));
    EXPECT_NE(last_.unmatched[0].reason.find("another model"), std::string::npos);
    EXPECT_FALSE(matched(""));
    EXPECT_NE(last_.unmatched[0].reason.find("no name"), std::string::npos);
    for (const char* odd :
         {"/", "//", "_nchwc", "fused ", "fused fused fused x", "Fusion", "/Fusion/"})
        EXPECT_FALSE(matched(odd)) << odd;
}

TEST_F(TraceMatchTest, CarriesRangesAndSumsTimes) {
    Profile profile;
    profile.runs = 2;
    for (int run = 0; run < 2; ++run) {
        const std::int64_t at = run * 100'000'000;
        profile.kernels.push_back(
            kernel(profile, "/features/conv.0/Conv", "Conv", at, at + 3'000'000));
        profile.kernels.push_back(kernel(profile, "Gelu", "Gelu", at + 4'000'000, at + 5'000'000));
        for (std::size_t i = profile.kernels.size() - 2; i < profile.kernels.size(); ++i)
            profile.kernels[i].run = run;
        profile.run_spans.push_back(kernel(profile, "run", "", at, at + 6'000'000));
        profile.run_spans.back().run = run;
    }
    profile.ranges.push_back(kernel(profile, "/features/conv.0/Conv", "Conv", 0, 1'000'000));
    profile.ranges.push_back(kernel(profile, "Gelu", "Gelu", 0, 1'000'000, NodeId(0)));
    const TraceMatch match = match_trace(profile, model_.graph);
    EXPECT_EQ(match.matched, 1u);
    ASSERT_EQ(match.unmatched.size(), 1u);
    EXPECT_DOUBLE_EQ(match.unmatched[0].ms, 1) << "per run";
    EXPECT_EQ(profile.ranges[0].node, node("/features/conv.0/Conv"));
    EXPECT_FALSE(profile.ranges[1].node);
    EXPECT_EQ(profile.kernels[2].node, profile.kernels[0].node);
}

}  // namespace
}  // namespace lapidary
