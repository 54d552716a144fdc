// SPDX-License-Identifier: Apache-2.0
// Runs a reference kernel inside another one: how fused and quantized operators are written as the
// plain operators they stand for.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

struct NestedNode {
    std::string op_type;
    std::int64_t version = 13;  // of ai.onnx
    std::vector<Attribute> attributes = {};

    NestedNode& set(std::string name, AttributeValue value);
};

/// Runs `kernel` for that node; an absent tensor among the inputs is an omitted input. Working
/// memory and outputs come from the outer kernel's scratch; threads, cancellation and limits are
/// the outer kernel's.
std::vector<Tensor> run_nested(KernelContext& outer, KernelFunction kernel, NestedNode node,
                               std::vector<Tensor> inputs, std::size_t outputs = 1);
Tensor run_nested_one(KernelContext& outer, KernelFunction kernel, NestedNode node,
                      std::vector<Tensor> inputs);

/// Copies (or converts, where the element types differ) a result of equal shape into output
/// `index`.
void set_result(KernelContext& context, std::size_t index, const Tensor& result, DType dtype);
inline void set_result(KernelContext& context, std::size_t index, const Tensor& result) {
    set_result(context, index, result, result.dtype());
}

/// The outer node's attributes with these names, those it has.
std::vector<Attribute> attributes_named(const Node& node,
                                        std::initializer_list<std::string_view> names);
/// Attributes of a convolution or pooling window.
std::vector<Attribute> window_attributes(const Node& node);

}  // namespace lapidary::reference
