// SPDX-License-Identifier: Apache-2.0
#include "rewrite/narrowed_constant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

void narrow(const float* from, std::size_t count, DType half, std::uint16_t* to) {
    if (half == DType::f16)
        return elementwise_kernels().narrow_half(from, to, static_cast<std::int64_t>(count));
    std::transform(from, from + count, to, [](float v) { return BFloat16(v).bits; });
}

/// Elements `begin` to `end`, through small buffers: neither side need be aligned.
void narrow_elements(const Tensor& wide, DType half, std::size_t begin, std::size_t end,
                     std::byte* to) {
    std::array<float, 2048> floats;
    std::array<std::uint16_t, 2048> halves;
    while (begin < end) {
        const std::size_t count = std::min(end - begin, floats.size());
        wide.read(begin * sizeof(float), count * sizeof(float),
                  reinterpret_cast<std::byte*>(floats.data()));
        narrow(floats.data(), count, half, halves.data());
        std::memcpy(to, halves.data(), count * sizeof(std::uint16_t));
        begin += count;
        to += count * sizeof(std::uint16_t);
    }
}

}  // namespace

Tensor narrowed_constant(const Tensor& wide, DType half) {
    return Tensor::deferred(half, wide.shape(), sizeof(std::uint16_t),
                            [wide, half](std::byte* to, std::size_t begin, std::size_t end) {
                                narrow_elements(wide, half, begin, end, to);
                            },
                            {wide});
}

}  // namespace lapidary
