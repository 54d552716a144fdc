// SPDX-License-Identifier: Apache-2.0
// What quantizing has to know of operators, read from their traits: which input is the weight, its
// channels, and what merely moves values.
#pragma once

#include <optional>
#include <string>

#include <lapidary/graph/graph.h>

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
    // the weight is W of an LSTM; axes are those of [directions * gates, inputs]
    bool is_recurrent = false;
};

/// Nothing, and why, for other nodes.
std::optional<WeightedProduct> weighted_product(const Graph& graph, const Node& node,
                                                std::string& reason);

/// Conv, ConvTranspose, Gemm or MatMul, whatever its operands are.
bool is_product(const Node& node);
/// Gather: takes rows of input 0, which may be a quantized table.
bool reads_table(const Node& node);
/// The output holds elements of input 0 alone, takes its scale, and the operator takes 8-bit
/// integers itself: Reshape, Transpose, MaxPool, a Resize to the nearest ...
bool moves_values(const Node& node);
/// There is an integer kernel for it, and not a plain one alone, between quantized inputs and
/// outputs, each with parameters of its own.
bool has_integer_form(const Node& node);
/// There is one, but the plain kernel alone runs it.
bool has_plain_integer_form(const Node& node);
/// Bounds values, so that it goes into the rounding after it: Relu, Clip.
bool is_absorbed(const Node& node);
/// A convolution that spreads its input (ConvTranspose).
bool is_transposed_convolution(const Node& node);
/// Its results are shares of one: [0, 1] whatever goes in (Softmax).
bool gives_shares(const Node& node);
bool is_f32(const Graph& graph, ValueId value);

}  // namespace lapidary
