// SPDX-License-Identifier: Apache-2.0
// Checks of nodes that the factories of products share.
#pragma once

#include <optional>
#include <string>

#include "kernels/activation.h"
#include "kernels/kernel.h"

namespace lapidary {

/// float32 or float16 when the first `inputs` inputs, as far as the node has them, are known to
/// have that type. Otherwise undefined, and `reason` says which input does not.
DType product_type(const KernelRequest& request, std::size_t inputs, std::string& reason);

/// The attributes `activation`, `activation_alpha` and `activation_beta` of FusedGemm and its like;
/// nothing, with `reason`, when the activation has no vector form.
std::optional<Activation> fused_activation(const Node& node, std::string& reason);

}  // namespace lapidary
