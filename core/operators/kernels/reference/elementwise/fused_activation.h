// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// The activation of FusedConv and FusedGemm by its operator name ("" is none); `parameters` in the
/// order the operator lists its attributes (LeakyRelu: alpha; Clip: min, max; HardSigmoid: alpha,
/// beta). Throws not_supported for another name, invalid_model for missing parameters.
Tensor activated(KernelContext& context, const std::string& activation,
                 const std::vector<float>& parameters, Tensor x);

}  // namespace lapidary::reference
