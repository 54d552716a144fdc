// SPDX-License-Identifier: Apache-2.0
// What quantizing has to know of operators: which input is the weight, its channels, and what merely moves values.
#pragma once

#include <optional>
#include <string>

#include <lapidary/graph.h>

namespace lapidary {

/// A Conv, ConvTranspose, Gemm or MatMul of f32 with a constant weight.
struct WeightedProduct {
    NodeId node;
    ValueId data, weight, bias;    // bias may be empty
    std::int64_t output_axis = 0;  // of the weight: its index is the output channel (of one group)
    std::int64_t input_axis = 0;   // of the weight: its index is the input channel (of one group)
    std::int64_t data_axis = 1;    // of the data: its channels
    std::int64_t groups = 1;
    bool plain = true;  // Gemm: alpha and beta are 1 and A is as it stands
    bool is_convolution = false;
};

/// Nothing, and why, for other nodes.
std::optional<WeightedProduct> weighted_product(const Graph& graph, const Node& node, std::string& reason);

/// The output holds elements of input 0 alone, in f32, and takes its scale: Reshape, Transpose, MaxPool ...
bool moves_values(const Node& node);
/// ONNX Runtime has an integer kernel for it between quantized inputs and outputs.
bool has_integer_form(const Node& node);
bool is_f32(const Graph& graph, ValueId value);

}  // namespace lapidary
