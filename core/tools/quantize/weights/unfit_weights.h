// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A node that stays float because integers cannot represent its weight.
struct UnfitWeight {
    std::string node;    // its name as in QuantizeOptions::keep_float
    std::string reason;  // a sentence without a full stop that names the weight
};

/// Products, tables and recurrent operators of the main graph with a constant that holds NaN or
/// infinities.
std::vector<UnfitWeight> unfit_weights(const Graph& graph);

/// Writes the reasons into the decisions of these nodes, and adds a note on each to `result`.
void report_unfit_weights(const std::vector<UnfitWeight>& unfit, QuantizeResult& result);

}  // namespace lapidary
