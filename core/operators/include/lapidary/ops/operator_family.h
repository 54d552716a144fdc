// SPDX-License-Identifier: Apache-2.0
// Kinds of operators as people distinguish them: they give the colours of graph, bars, timeline and
// reports.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

/// In the order of legends.
enum class OperatorFamily : std::uint8_t {
    convolution,    // Conv, ConvTranspose, quantized forms
    matrix,         // MatMul, Gemm, attention
    normalization,  // LayerNormalization, BatchNormalization, Softmax
    activation,     // Relu, Gelu, Clip
    arithmetic,     // Add, Mul, comparisons
    reduction,      // ReduceSum, ArgMax, pooling
    movement,       // Reshape, Transpose, Gather, Concat
    recurrent,      // LSTM, GRU, RNN
    quantization,   // QuantizeLinear, DequantizeLinear
    control,        // If, Loop, Scan
    /// What fits none.
    other
};

/// The family of an operator by its name with its domain: "Conv", "com.microsoft::Gelu". An
/// operator of an unknown domain has the family of ONNX's operator of the same name. For fused
/// operators ("MatMul + Add (fused)") the first one counts.
OperatorFamily family_of(std::string_view op);
/// "convolution", "matrix" and so on, as the enumerators are called.
std::string_view name_of(OperatorFamily family);

}  // namespace lapidary
