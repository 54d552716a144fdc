// SPDX-License-Identifier: Apache-2.0
// Near misses in groups, ranked by the time that their nodes take.
#include <gtest/gtest.h>

#include <lapidary/generate_inputs.h>
#include <lapidary/near_miss_groups.h>
#include <lapidary/samples.h>
#include <lapidary/session.h>



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
    EXPECT_EQ(groups[0].misses, (std::vector<std::size_t>{0, 4})) << "of equally near ones that of more places";
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

}  // namespace
}  // namespace lapidary
