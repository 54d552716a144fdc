// SPDX-License-Identifier: Apache-2.0
// What quantizing needs to know about operators, read from their traits: which input is the weight,
// where its channels are, and which operators only move values.
#pragma once

#include <optional>
#include <string>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// A Conv, ConvTranspose, Gemm or MatMul of f32 with a constant weight.
struct WeightedProduct {
    NodeId node;
    ValueId data, weight, bias;    // bias may be empty
    std::int64_t output_axis = 0;  // axis of the weight that counts output channels (of one group)
    std::int64_t input_axis = 0;   // axis of the weight that counts input channels (of one group)
    std::int64_t data_axis = 1;    // axis of the data that holds its channels
    std::int64_t groups = 1;
    bool plain = true;  // Gemm: alpha and beta are 1 and A is not transposed
    bool is_convolution = false;
    // the weight is W of an LSTM; axes are those of [directions * gates, inputs]
    bool is_recurrent = false;
};

/// Empty for other nodes; `reason` then says why.
std::optional<WeightedProduct> weighted_product(const Graph& graph, const Node& node,
                                                std::string& reason);

/// Conv, ConvTranspose, Gemm or MatMul, with any operands.
bool is_product(const Node& node);
/// Gather: takes rows of input 0, which may be a quantized table.
bool reads_table(const Node& node);
/// The output holds only elements of input 0 and takes its scale, and the operator supports 8-bit
/// integers: Reshape, Transpose, MaxPool, Resize with nearest ...
bool moves_values(const Node& node);
/// It has an optimized integer kernel for quantized inputs and outputs with separate scales.
bool has_integer_form(const Node& node);
/// It has an integer kernel, but only a plain one.
bool has_plain_integer_form(const Node& node);
/// Only bounds values, so that the rounding after it can do that too: Relu, Clip.
bool is_absorbed(const Node& node);
/// A convolution that spreads its input (ConvTranspose).
bool is_transposed_convolution(const Node& node);
/// Of a product with a weight: an integer operator computes it. A pair in front of another only
/// rounds.
bool has_integer_product(const Node& node);
/// Its results are shares of one, in [0, 1] for any input (Softmax).
bool gives_shares(const Node& node);
bool is_f32(const Graph& graph, ValueId value);

}  // namespace lapidary
