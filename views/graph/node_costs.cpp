// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/node_costs.h"

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/cost/roofline.h>

namespace lapidary::views {

NodeCostsPtr nodeCosts(const app::RunRecordPtr& run, const ModelPtr& shown,
                       const Progress& progress) {
    auto costs = std::make_shared<NodeCosts>();
    costs->run = run;
    costs->shown = shown;
    const std::vector<NodeTotal>& totals = run->summary.nodes;
    std::vector<RooflinePoint> points;
    if (run->executed && run->machine.empty()) {
        progress.step("measure the machine's peak");
        points =
            roofline(run->executed->graph, totals,
                     {machine_peak(run->profile->threads, progress.cancel), run->device_peaks});
    }
    const bool isOwn = run->model == shown || run->traced == shown;
    if (isOwn || !run->executed) {
        for (const NodeTotal& total : totals)
            if (isOwn && total.node) costs->ms[total.node] += total.ms;
        if (isOwn)
            for (const RooflinePoint& point : points)
                costs->shareOfPeak[point.node] = point.share_of_peak;
        return costs;
    }
    progress.step("original sizes");
    const Model sized = sized_for(*shown, run->inputs, progress);
    costs->rolledBack = true;
    costs->ms = roll_back(totals, run->executed->graph, sized.graph).ms;
    // The time at the peak is divided among original nodes like the time. A node's share of the
    // peak is the ratio of its two sums.
    std::vector<NodeTotal> taken, needed;
    for (const RooflinePoint& point : points) {
        NodeTotal total;
        total.node = point.node;
        total.ms = point.ms;
        taken.push_back(total);
        total.ms = point.ms * point.share_of_peak;
        needed.push_back(total);
    }
    const auto all = roll_back(taken, run->executed->graph, sized.graph).ms,
               least = roll_back(needed, run->executed->graph, sized.graph).ms;
    for (const auto& [node, ms] : all)
        if (const auto found = least.find(node); found != least.end() && ms > 0)
            costs->shareOfPeak[node] = found->second / ms;
    return costs;
}

}  // namespace lapidary::views
