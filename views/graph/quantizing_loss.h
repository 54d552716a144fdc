// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include <lapidary/graph/model.h>

#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

/// By node of the shown graph: the noise in its output caused by quantization, as a share of the
/// output's magnitude (10^(-SQNR / 20)), at most 1. Nodes are found in the record by name. A node
/// that the record lacks gets the largest share of the original nodes that it replaces. Empty if
/// the record has no layers.
std::unordered_map<NodeId, double> quantizingLoss(const app::QuantizeRecord* record,
                                                  const Model& opened, const Model& shown);

}  // namespace lapidary::views
