// SPDX-License-Identifier: Apache-2.0
#include "passes/session/widened_constant.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

constexpr std::size_t deferred_from_bytes = std::size_t{64} << 10;

void widen_elements(const Tensor& half, std::size_t begin, std::size_t end, float* to) {
    if (half.dtype() == DType::f16)
        return elementwise_kernels().widen_half(
            static_cast<const std::uint16_t*>(half.raw()) + begin, to,
            static_cast<std::int64_t>(end - begin));
    std::ranges::transform(half.data<BFloat16>().subspan(begin, end - begin), to,
                           [](BFloat16 v) { return static_cast<float>(v); });
}

}  // namespace

Tensor widened_constant(const Tensor& half) {
    if (half.byte_size() >= deferred_from_bytes)
        return Tensor::deferred(DType::f32, half.shape(), sizeof(float),
                                [half](std::byte* to, std::size_t begin, std::size_t end) {
                                    widen_elements(half, begin, end, reinterpret_cast<float*>(to));
                                },
                                {half});
    Tensor wide(DType::f32, half.shape());
    if (wide.size() > 0)
        widen_elements(half, 0, static_cast<std::size_t>(half.size()),
                       wide.mutable_data<float>().data());
    return wide;
}

}  // namespace lapidary
