// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// Rewrites of levels, which an exported file holds, and rewrites of level session, which only the
/// session's own copy of the graph has; counted separately.
struct PassTotals {
    std::size_t level_rewrites = 0, session_rewrites = 0;  // by passes of levels, of level session
    /// nodes of the session's copy: PipelineReport::nodes_after with the changes of its passes
    std::size_t session_nodes = 0;
};
/// Sums over the passes of the report.
PassTotals totals_of(const PipelineReport& report);

/// The whole report as a JSON object: level, nodes, passes, rewrites (ids of removed and added
/// nodes, renamed values), near misses, each and in groups (see group_near_misses()). `model`, the
/// optimized one, adds the names of added nodes when given; `shares`, by its nodes, adds the share
/// of a run's time that a group concerns.
std::string pipeline_json(const PipelineReport& report, const Model* model = nullptr,
                          const TimeShares& shares = {});
/// The same as a file, written atomically.
void save_pipeline_json(const PipelineReport& report, const std::filesystem::path& path,
                        const Model* model = nullptr, const TimeShares& shares = {});

}  // namespace lapidary
