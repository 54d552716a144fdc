// SPDX-License-Identifier: Apache-2.0
// Outputs whose element type an attribute names: generated in double, stored in any numeric type.
#pragma once

#include "kernels/dispatch.h"
#include "kernels/kernel.h"

namespace lapidary::reference {

/// The element type in attribute `name` (a TensorProto.DataType number), or `fallback` without it.
/// Throws invalid_model for an unknown number.
DType output_type(const Node& node, std::string_view name, DType fallback);

class NumberOutput {
public:
    /// Output 0 of the node. Throws not_supported when `dtype` is no numeric or bool type.
    NumberOutput(KernelContext& context, DType dtype, const Shape& shape);
    void set(std::int64_t index, double value) { values_[static_cast<std::size_t>(index)] = value; }
    std::int64_t size() const { return output_.size(); }
    /// Converts all values: integers truncate and saturate, bool is "not zero".
    void store();

private:
    Tensor& output_;
    Tensor scratch_;
    std::span<double> values_;
};

}  // namespace lapidary::reference
