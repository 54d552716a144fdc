// SPDX-License-Identifier: Apache-2.0
// Near misses in groups: one for all places where a pass failed for the same reason, with the share
// of a run's time that the nodes there take.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Share of a run's time that each node of a main graph takes.
struct TimeShares {
    bool is_measured = false;                    // false: estimated from arithmetic and bytes
    std::unordered_map<NodeId, double> by_node;  // 0..1; empty: not known
    /// The summed share of several nodes, each counted once. Nothing: none of them has a share.
    std::optional<double> of(const std::vector<NodeId>& nodes) const;
};

/// Without running: each node takes the longer of its arithmetic and its memory traffic, at 8
/// operations for each byte that memory delivers, which is near what cores of today's processors
/// do. `dimensions`: sizes of free dimensions, see usual_sizes(). Nodes whose sizes are not known
/// have no share. Throws cancelled.
TimeShares estimated_shares(const Model& model,
                            const std::map<std::string, std::int64_t>& dimensions = {},
                            const Progress& progress = {});
/// Of a profiled run of `executed`, which a session made of `model`: times of fused nodes are
/// shared out among the nodes of `model` with the same origins.
TimeShares measured_shares(const std::vector<NodeTotal>& nodes, const Graph& executed,
                           const Graph& model);

/// All places where one pass failed by one condition.
struct NearMissGroup {
    std::string pass, reason;         // as NearMiss has them
    int shortfall = 1;                // number of missing conditions and operators
    std::vector<std::size_t> misses;  // indices in PipelineReport::near_misses, in that order
    /// of the time of a run that the nodes matched so far take, 0..1
    std::optional<double> share;
};
/// Sorted by share of time, largest first, where it is known; then by shortfall, smallest first;
/// then by number of places, largest first.
std::vector<NearMissGroup> group_near_misses(const PipelineReport& report,
                                             const TimeShares& shares = {});
/// "fuse_attention x 12, 18 % of the time (estimated)"
std::string title_of(const NearMissGroup& group, const TimeShares& shares);

}  // namespace lapidary
