// SPDX-License-Identifier: Apache-2.0
// The nodes that may be why a model computes a recorded value otherwise.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/inspect/recording_check.h>

#include "inspect/recorded_targets.h"

namespace lapidary {

/// RecordingCheck::suspects. `places` are those of check.modules; the main graph is that of the
/// outputs.
std::vector<std::string> suspects_of(const Graph& graph, const RecordingCheck& check,
                                     const std::vector<RecordedPlace>& places);

}  // namespace lapidary
