// SPDX-License-Identifier: Apache-2.0
// Kinds of operators as people tell them apart: they give the colours of graph, bars, timeline and reports.
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

enum class OperatorFamily : std::uint8_t {
    convolution,
    matrix,
    normalization,
    activation,
    arithmetic,
    reduction,
    movement,
    recurrent,
    quantization,
    control,
    other
};

/// The family of an operator by its name with its domain: "Conv", "com.microsoft::Gelu". An operator of a domain that
/// is not known has the family of ONNX's operator of the same name. Of fused ones ("MatMul + Add (fused)") the first
/// counts.
OperatorFamily family_of(std::string_view op);
/// "convolution", "matrix" and so on, as the enumerators are called.
std::string_view name_of(OperatorFamily family);

}  // namespace lapidary
