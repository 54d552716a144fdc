// SPDX-License-Identifier: Apache-2.0
// Makes random operands of 8-bit kernels, and compares results.
#pragma once

#include <random>
#include <string>

#include <lapidary/tensor/tensor.h>

namespace lapidary::test {

/// Bytes with many at the ends of the range, where 16-bit sums of products would saturate.
Tensor random_bytes(std::mt19937& generator, Shape shape, DType dtype);
/// A scalar u8 or i8.
Tensor byte_scalar(DType dtype, int value);
Tensor random_reals(std::mt19937& generator, Shape shape, float low, float high);
Tensor random_words(std::mt19937& generator, Shape shape, int magnitude);
/// The first difference in type, shape or elements; "" if there is none.
std::string difference(const Tensor& expected, const Tensor& found);

}  // namespace lapidary::test
