// SPDX-License-Identifier: Apache-2.0
// Copies of constants that lie in a file where their type cannot be read: made when somebody first
// reads the elements, kept as long as the constant.
#pragma once

#include <cstdint>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Bytes of the copy that was made of it; 0: none.
std::uint64_t aligned_copy_bytes(const Tensor& tensor);

}  // namespace lapidary
