// SPDX-License-Identifier: Apache-2.0
// Shared by the fusions into FusedConv and FusedMatMul.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

/// The attributes `activation` and `activation_params` of FusedConv for an activation node;
/// nothing, with the reason, when FusedConv has no such activation or a bound of a Clip is no
/// constant.
std::optional<std::vector<Attribute>> conv_activation(const Scope& scope, const Node& node,
                                                      std::string& why);

/// The operators that conv_activation() accepts, as a list for patterns.
std::string conv_activations();

/// FusedConv runs in f32 on the CPU; elsewhere in other floats too.
bool has_fused_kernel(const Scope& scope, DType dtype);
std::string no_fused_kernel(std::string_view op, DType dtype);

/// All readers of the value are MatMul or FusedMatMul.
pattern::Check only_products_read();

/// The attributes of a MatMul or FusedMatMul, to be changed and written as a FusedMatMul.
struct MatMulAttributes {
    double alpha = 1;
    bool transposed[2] = {false, false}, batch_transposed[2] = {false, false};

    static MatMulAttributes of(const Node& product);
    std::vector<Attribute> list() const;
};

}  // namespace lapidary
