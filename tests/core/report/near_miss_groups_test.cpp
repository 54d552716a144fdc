// SPDX-License-Identifier: Apache-2.0
// Near misses in groups, ranked by the time that their nodes take.
#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "support/pass_harness.h"

namespace lapidary {
namespace {

NearMiss miss(const char* pass, const char* reason, std::uint32_t node, int shortfall = 1) {
    NearMiss one;
    one.pass = pass;
    one.reason = reason;
    one.shortfall = shortfall;
    one.node = NodeId{node};
    one.nodes = {NodeId{node}};
    return one;
}

PipelineReport some_report() {
    PipelineReport report;
    report.near_misses = {miss("fuse_gelu", "axis", 0), miss("fuse_attention", "mask", 1),
                          miss("fuse_attention", "mask", 2), miss("fuse_attention", "scale", 3, 2),
                          miss("fuse_gelu", "axis", 0)};
    return report;
}

TEST(NearMissGroups, OnePassAndOneReasonAreOneLine) {
    const auto groups = group_near_misses(some_report());
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].misses, (std::vector<std::size_t>{0, 4}))
        << "of equally near ones that of more places";
    EXPECT_EQ(groups[1].misses, (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(groups[2].reason, "scale") << "two conditions short";
    EXPECT_FALSE(groups[0].share);
    EXPECT_EQ(title_of(groups[1], {}), "fuse_attention x 2");
}

TEST(NearMissGroups, TheDearestComesFirstAndNoNodeCountsTwice) {
    TimeShares shares;
    shares.by_node = {{NodeId{0}, 0.05}, {NodeId{1}, 0.1}, {NodeId{2}, 0.08}, {NodeId{3}, 0.5}};
    const auto groups = group_near_misses(some_report(), shares);
    EXPECT_EQ(groups[0].reason, "scale");
    EXPECT_DOUBLE_EQ(*groups[1].share, 0.18);
    EXPECT_EQ(title_of(groups[1], shares), "fuse_attention x 2, 18 % of the time (estimated)");
    EXPECT_DOUBLE_EQ(*groups[2].share, 0.05);
    shares.is_measured = true;
    EXPECT_EQ(title_of(groups[1], shares), "fuse_attention x 2, 18 % of the time");
}

TEST(NearMissGroups, OneConditionIsOneLineThoughItNamesEachPlace) {
    PipelineReport report;
    report.near_misses = {miss("eliminate_identity", "its result is the graph output \"a\"", 0),
                          miss("eliminate_identity", "its result is the graph output \"b\"", 1),
                          miss("eliminate_identity", "its result is the graph output \"c\"", 2),
                          miss("fuse_gelu", "attribute \"axis\" is not 1", 3),
                          miss("fuse_gelu", "attribute \"keepdims\" is not 1", 4)};
    const auto groups = group_near_misses(report);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].misses, (std::vector<std::size_t>{0, 1, 2}));
    EXPECT_EQ(groups[0].reason, "its result is the graph output \"…\"");
    EXPECT_EQ(groups[1].reason, "attribute \"axis\" is not 1")
        << "two conditions of one pass stay two";
    EXPECT_EQ(groups[2].reason, "attribute \"keepdims\" is not 1");
}

double sum_of(const TimeShares& shares) {
    double sum = 0;
    for (const auto& [node, share] : shares.by_node) sum += share;
    return sum;
}

TEST(NearMissGroups, SharesOfAllNodesAreTheWhole) {
    const Model model = build_sample("bert-tiny");
    const OptimizeResult optimized = optimize(model);
    const TimeShares estimated = estimated_shares(optimized.model);
    EXPECT_FALSE(estimated.is_measured);
    EXPECT_NEAR(sum_of(estimated), 1, 1e-9) << "with sizes of free dimensions taken";

    const auto shared = std::make_shared<const Model>(optimized.model);
    Session session = Session::compile(shared);
    RunOptions run;
    run.profile = true;
    const RunResult result = session.run(generate_inputs(*shared), run);
    const TimeShares measured =
        measured_shares(summarize(*result.profile).nodes, session.model().graph, shared->graph);
    EXPECT_TRUE(measured.is_measured);
    EXPECT_NEAR(sum_of(measured), 1, 0.02) << "times of fused nodes are shared out, none is lost";
}

TEST(NearMissGroups, BodiesCountAsTheNodeThatHoldsThem) {
    const auto model =
        std::make_shared<const Model>(test::model_of(R"((x: f32[64,64], c: bool[]) -> (y)
        h = Neg(x)
        y = If(c) {then_branch: graph { () -> (a)
            p = MatMul(x, w: f32[64,64])
            q = MatMul(p, v: f32[64,64])
            a = Add(q, h) }, else_branch: graph { () -> (b)
            b = Identity(h) }})"));
    const NodeId neg = *model->graph.nodes().begin();
    const TimeShares estimated = estimated_shares(*model);
    EXPECT_LT(estimated.by_node.at(neg), 0.5) << "the products are in the body";
    EXPECT_NEAR(sum_of(estimated), 1, 1e-9);

    Session session = Session::compile(model);
    RunOptions run;
    run.profile = true;
    NamedValues inputs = generate_inputs(*model);
    for (auto& [name, value] : inputs)
        if (name == "c") value = Tensor::scalar(true);
    const ProfileSummary summary = summarize(*session.run(inputs, run).profile);
    const TimeShares measured = measured_shares(summary.nodes, session.model().graph, model->graph);
    EXPECT_NEAR(sum_of(measured), 1, 1e-6) << "nothing counts twice";
    const auto own = std::ranges::find(summary.nodes, std::string("Neg"), &NodeTotal::op);
    ASSERT_NE(own, summary.nodes.end());
    EXPECT_NEAR(measured.by_node.at(neg), own->ms / summary.kernel_ms, 1e-6);
}

}  // namespace
}  // namespace lapidary
