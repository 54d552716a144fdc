// SPDX-License-Identifier: Apache-2.0
// The nodes at which the near misses of a group are.
#pragma once

#include <vector>

#include <lapidary/advice/near_miss_groups.h>

namespace lapidary {

/// Nodes of the main graph that the misses of the group matched so far, or where nothing was
/// matched, those at which they began. A node may come several times. `report`: of the group.
std::vector<NodeId> nodes_of(const NearMissGroup& group, const PipelineReport& report);

}  // namespace lapidary
