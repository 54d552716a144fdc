// SPDX-License-Identifier: Apache-2.0
// Changes constants of a model: other values, another order of axes, another element type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Gives a constant, or the default of an input, other values of the same type and shape. Throws
/// invalid_input with both types where they differ.
void replace_weight(GraphEdit& edit, const std::string& name, Tensor tensor);

/// Transposes a constant. `keep_results`: readers get the old order from a Transpose, or from the
/// other value of transA or transB where a Gemm reads it. Else they read the transposed constant,
/// which its readers have to accept. `opset` is that of new nodes. Throws invalid_input for axes
/// that are no permutation, and for a constant that is an output.
void transpose_weight(GraphEdit& edit, const std::string& name,
                      const std::vector<std::int64_t>& permutation, bool keep_results,
                      std::int64_t opset);

/// Stores a constant in another element type; its readers get the old type from a Cast. Returns how
/// many finite values became infinite. Throws invalid_input for values that an integer type does
/// not have, not_supported for types whose values are no plain numbers.
std::size_t cast_weight(GraphEdit& edit, const std::string& name, DType dtype, std::int64_t opset);

/// Brings everything of element type `from` to `to`: inputs, outputs, constants, attributes, bodies
/// and functions. Both are one of float64, float32, float16 and bfloat16. Returns the number of
/// constants and attributes that were converted. Types have to be inferred afterwards. Throws
/// invalid_input for other types.
std::size_t cast_whole_model(Model& model, DType from, DType to);

}  // namespace lapidary
