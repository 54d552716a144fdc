// SPDX-License-Identifier: Apache-2.0
// What the factories of products ask of a node.
#pragma once

#include <optional>
#include <string>

#include "kernels/activation.h"
#include "kernels/kernel.h"

namespace lapidary {

/// True when the first `inputs` inputs, those that are there, are float32 for certain; else `reason` says which is not.
bool has_float_inputs(const KernelRequest& request, std::size_t inputs, std::string& reason);

/// The attributes `activation`, `activation_alpha` and `activation_beta` of FusedGemm and its like; nothing, with `reason`,
/// when the activation has no vector form.
std::optional<Activation> fused_activation(const Node& node, std::string& reason);

}  // namespace lapidary
