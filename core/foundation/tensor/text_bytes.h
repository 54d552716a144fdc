// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Bytes of the characters of a tensor of strings, which Tensor::byte_size() does not count; 0 for
/// other types.
inline std::uint64_t text_bytes(const Tensor& tensor) {
    std::uint64_t bytes = 0;
    if (tensor.dtype() == DType::string)
        for (const std::string& text : tensor.data<std::string>()) bytes += text.size();
    return bytes;
}

}  // namespace lapidary
