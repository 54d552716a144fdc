// SPDX-License-Identifier: Apache-2.0
// Short lists of integers (axes, starts, shapes ...) from attributes, constants or tensors of a
// run, without heap memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

struct SmallInts {
    static constexpr std::size_t capacity = 16;
    std::int64_t values[capacity];
    std::size_t count = 0;

    std::int64_t operator[](std::size_t i) const { return values[i]; }

    /// False when there are too many.
    bool assign(std::span<const std::int64_t> list) {
        if (list.size() > capacity) return false;
        for (count = 0; count < list.size(); ++count) values[count] = list[count];
        return true;
    }
    /// False when the tensor is no list of i64 or i32 or too long.
    bool read(const Tensor& tensor) {
        const auto size = static_cast<std::size_t>(tensor.size());
        if (tensor.rank() > 1 || size > capacity) return false;
        count = size;
        if (tensor.dtype() == DType::i64) {
            const auto* from = static_cast<const std::int64_t*>(tensor.raw());
            for (std::size_t i = 0; i < size; ++i) values[i] = from[i];
        } else if (tensor.dtype() == DType::i32) {
            const auto* from = static_cast<const std::int32_t*>(tensor.raw());
            for (std::size_t i = 0; i < size; ++i) values[i] = from[i];
        } else return false;
        return true;
    }
};

/// Elements that copy_strided moves: 1 to 8 bytes, no text.
inline bool is_plainly_copied(DType dtype) {
    return dtype != DType::undefined && dtype != DType::string && bit_width(dtype) >= 8 &&
           bit_width(dtype) <= 64;
}

/// Row-major strides in elements; false for more than 12 dimensions.
inline bool row_strides(const Shape& shape, std::int64_t (&strides)[12]) {
    if (shape.size() > 12) return false;
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
    return true;
}

}  // namespace lapidary
