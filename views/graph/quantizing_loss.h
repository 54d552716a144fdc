// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include <lapidary/graph/model.h>

#include "worker/protocol/quantize_record.h"

namespace lapidary::views {

/// Of the nodes of a shown graph: the noise that quantizing left in what they give, as a share of
/// its magnitude (10^(-SQNR / 20)), at most 1. By name; a node that has none in the record but
/// stands for original ones takes the largest of theirs. Empty where the record has no layers.
std::unordered_map<NodeId, double> quantizingLoss(const app::QuantizeRecord* record,
                                                  const Model& opened, const Model& shown);

}  // namespace lapidary::views
