// SPDX-License-Identifier: Apache-2.0
// Arrows of the timeline: which kernels of a run hand values to each other.
#include <algorithm>
#include <map>
#include <set>

#include "run/timeline/timeline_view.h"
#include "run/timeline/value_flow.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class ValueFlowTest : public WindowTest {};

TEST_F(ValueFlowTest, EveryEdgeBetweenKernelsOfARunIsFoundFromBothEnds) {
    openSample("squeezenet");
    window_->showPage(QStringLiteral("run"));
    runModel();
    const app::RunRecord& record = *workbench_->run();
    const Profile& profile = *record.profile;
    ASSERT_TRUE(record.executed);
    const Graph& graph = record.executed->graph;
    std::map<NodeId, std::size_t> kernelOf;  // in the second run
    for (std::size_t i = 0; i < profile.kernels.size(); ++i)
        if (profile.kernels[i].run == 1 && profile.kernels[i].depth == 0 && profile.kernels[i].node)
            kernelOf.emplace(profile.kernels[i].node, i);
    std::set<std::pair<std::size_t, std::size_t>> wanted;
    for (const auto& [node, kernel] : kernelOf)
        for (const ValueId input : graph.node(node).inputs)
            if (input && kernelOf.contains(graph.value(input).producer))
                wanted.emplace(kernelOf.at(graph.value(input).producer), kernel);
    ASSERT_GT(wanted.size(), 10u);
    std::map<std::pair<std::size_t, std::size_t>, int> found;
    for (const auto& [node, kernel] : kernelOf)
        for (const ValueFlow& flow : flowsOf(profile, graph, kernel)) ++found[{flow.from, flow.to}];
    EXPECT_EQ(found.size(), wanted.size());
    for (const auto& [edge, times] : found) {
        EXPECT_TRUE(wanted.contains(edge)) << edge.first << " to " << edge.second;
        EXPECT_EQ(times, 2) << "once from each end";
    }

    auto* timeline = find<TimelineView>("timelineView");
    EXPECT_EQ(timeline->arrowCount(), 0u) << "no kernel is chosen";
    const std::size_t reader = wanted.rbegin()->second;
    ASSERT_TRUE(timeline->showKernel(reader));
    EXPECT_EQ(timeline->arrowCount(), flowsOf(profile, graph, reader).size());
    EXPECT_GT(timeline->arrowCount(), 0u);
    EXPECT_FALSE(timeline->viewport()->grab().toImage().isNull());
}

TEST(ValueFlow, AKernelWithoutANodeHasNone) {
    Profile profile;
    profile.kernels.resize(2);
    EXPECT_TRUE(flowsOf(profile, Graph(), 1).empty());
    profile.kernels[1].node = NodeId(7);
    EXPECT_TRUE(flowsOf(profile, Graph(), 1).empty()) << "the graph has no such node";
}

}  // namespace
}  // namespace lapidary::views
