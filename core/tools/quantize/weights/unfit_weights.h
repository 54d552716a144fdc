// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A node that stays float, for integers cannot stand for its weight.
struct UnfitWeight {
    std::string node;    // as QuantizeOptions::keep_float calls it
    std::string reason;  // a sentence without a stop, naming the weight
};

/// Products, tables and recurrent operators of the main graph with a constant that holds NaN or
/// infinities.
std::vector<UnfitWeight> unfit_weights(const Graph& graph);

/// Gives the nodes' decisions their reasons, and `result` a note of each.
void report_unfit_weights(const std::vector<UnfitWeight>& unfit, QuantizeResult& result);

}  // namespace lapidary
