// SPDX-License-Identifier: Apache-2.0
// Copies of constants that are not aligned for their type in the file. A copy is made when the
// elements are first read, and is kept as long as the constant.
#pragma once

#include <cstdint>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Bytes of the copy that was made of the tensor; 0: none was made.
std::uint64_t aligned_copy_bytes(const Tensor& tensor);

}  // namespace lapidary
