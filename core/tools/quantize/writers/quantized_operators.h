// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Pairs of QuantizeLinear and DequantizeLinear around operators become QLinearConv, QLinearMatMul,
/// QGemm ..., by the passes that sessions optimize such models with. Pairs that none takes up stay;
/// how many is a note.
void use_quantized_operators(Model& model, std::vector<std::string>& notes,
                             const Progress& progress);

/// Pairs of which nothing is between QuantizeLinear and DequantizeLinear, so that they round and
/// speed nothing up.
std::size_t idle_pairs(const Model& model);

}  // namespace lapidary
