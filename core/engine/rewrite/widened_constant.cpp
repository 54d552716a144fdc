// SPDX-License-Identifier: Apache-2.0
#include "rewrite/widened_constant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

constexpr std::size_t deferred_from_bytes = std::size_t{64} << 10;

void widen_aligned(DType dtype, const std::byte* halves, std::size_t count, float* to) {
    if (dtype == DType::f16)
        return elementwise_kernels().widen_half(reinterpret_cast<const std::uint16_t*>(halves), to,
                                                static_cast<std::int64_t>(count));
    std::ranges::transform(std::span(reinterpret_cast<const BFloat16*>(halves), count), to,
                           [](BFloat16 v) { return static_cast<float>(v); });
}

/// Elements `begin` to `end`. Those of a file may lie at an odd address: they go through a small
/// buffer, because Tensor::data() would keep an aligned copy of the whole tensor.
void widen_elements(const Tensor& half, std::size_t begin, std::size_t end, float* to) {
    alignas(BFloat16) std::array<std::byte, 4096> aligned;
    const std::byte* const from = half.bytes().data();
    if (reinterpret_cast<std::uintptr_t>(from) % alignof(BFloat16) == 0)
        return widen_aligned(half.dtype(), from + 2 * begin, end - begin, to);
    for (std::size_t at = begin; at < end;) {
        const std::size_t count = std::min(end - at, aligned.size() / 2);
        std::memcpy(aligned.data(), from + 2 * at, 2 * count);
        widen_aligned(half.dtype(), aligned.data(), count, to);
        at += count;
        to += count;
    }
}

}  // namespace

Tensor widened_constant(const Tensor& half) {
    if (half.byte_size() >= deferred_from_bytes)
        return Tensor::widened(half, [half](std::byte* to, std::size_t begin, std::size_t end) {
            widen_elements(half, begin, end, reinterpret_cast<float*>(to));
        });
    Tensor wide(DType::f32, half.shape());
    if (wide.size() > 0)
        widen_elements(half, 0, static_cast<std::size_t>(half.size()),
                       wide.mutable_data<float>().data());
    return wide;
}

}  // namespace lapidary
