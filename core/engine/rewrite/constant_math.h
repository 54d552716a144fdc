// SPDX-License-Identifier: Apache-2.0
// Arithmetic on constants inside passes: computed in double, rounded once to the element type.
#pragma once

#include <functional>
#include <vector>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// A tensor of any float or integer type (bool too) from doubles; one value fills the whole shape.
/// Integers are rounded to nearest. Throws internal for other types or when the count does not fit.
Tensor tensor_of_doubles(DType dtype, Shape shape, const std::vector<double>& values);
/// `tensor` with every element mapped; same type and shape.
Tensor mapped(const Tensor& tensor, const std::function<double(double)>& f);
/// tensor[i0, ..., in] * scale[i_axis], same type and shape; `scale` has as many values as the axis
/// is long.
Tensor scaled_along(const Tensor& tensor, std::size_t axis, const std::vector<double>& scale);
/// Transposed copy, any element type.
Tensor transposed(const Tensor& tensor, const std::vector<std::int64_t>& permutation);

}  // namespace lapidary
