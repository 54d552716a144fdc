// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Replaces pairs of QuantizeLinear and DequantizeLinear around operators by QLinearConv,
/// QLinearMatMul, QGemm ..., with the passes that sessions apply to such models. Pairs that no
/// operator takes stay; a note gives their number.
void use_quantized_operators(Model& model, std::vector<std::string>& notes,
                             const Progress& progress);

/// The number of pairs with no operator between QuantizeLinear and DequantizeLinear: they round,
/// but speed nothing up.
std::size_t idle_pairs(const Model& model);

}  // namespace lapidary
