// SPDX-License-Identifier: Apache-2.0
// What the fusions into FusedConv and FusedMatMul share.
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

/// The operators that conv_activation() takes, as a pattern lists them.
std::string conv_activations();

/// FusedConv runs in f32 on the CPU; elsewhere in other floats too.
bool has_fused_kernel(const Scope& scope, DType dtype);
std::string no_fused_kernel(std::string_view op, DType dtype);

/// Every reader of the value multiplies it by MatMul or FusedMatMul, and nothing else needs it.
pattern::Check only_products_read();

/// Attributes of a FusedMatMul that stands for a MatMul or FusedMatMul, to be changed and written.
struct MatMulAttributes {
    double alpha = 1;
    bool transposed[2] = {false, false}, batch_transposed[2] = {false, false};

    static MatMulAttributes of(const Node& product);
    std::vector<Attribute> list() const;
};

}  // namespace lapidary
