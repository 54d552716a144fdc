// SPDX-License-Identifier: Apache-2.0
// Checks of inputs at run time with one form of message: "input 0: expected f32 of rank 4, found
// f16[1,3]". A kernel that packed a weight and released its storage cannot leave these checks to
// the reference kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/kernel.h"

namespace lapidary {

/// Throws invalid_input: "input `index`: expected `expected`, found " and the tensor's type and
/// shape.
[[noreturn]] void fail_expected(const KernelContext& context, std::size_t index,
                                std::string_view expected, const Tensor& found);

/// Throws invalid_input unless the tensor, input `index`, is of `dtype` and has exactly this shape.
void expect_shape(const KernelContext& context, std::size_t index, const Tensor& found, DType dtype,
                  const Shape& shape);
/// Throws invalid_input unless input `index` is of `dtype` and has `rank` axes; returns it.
const Tensor& expect_rank(const KernelContext& context, std::size_t index, DType dtype,
                          std::size_t rank);
/// The same for [N, channels, spatial...].
const Tensor& expect_channels(const KernelContext& context, std::size_t index, DType dtype,
                              std::size_t rank, std::int64_t channels);

/// An optional input of f32 that has this shape: null when it is omitted. Throws invalid_input as
/// expect_shape().
const Tensor* optional_floats(const KernelContext& context, std::size_t index, const Shape& shape);

}  // namespace lapidary
