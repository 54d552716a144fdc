// SPDX-License-Identifier: Apache-2.0
// What the factories of products ask of a node.
#pragma once

#include <optional>
#include <string>

#include "kernels/activation.h"
#include "kernels/kernel.h"

namespace lapidary {

/// float32 or float16 when the first `inputs` inputs, those that are there, have that type for
/// certain; else undefined, and `reason` says which has not.
DType product_type(const KernelRequest& request, std::size_t inputs, std::string& reason);

/// The attributes `activation`, `activation_alpha` and `activation_beta` of FusedGemm and its like;
/// nothing, with `reason`, when the activation has no vector form.
std::optional<Activation> fused_activation(const Node& node, std::string& reason);

}  // namespace lapidary
