// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/quantization_input.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {

std::int64_t known_size(const KernelRequest& request, std::size_t input) {
    if (!request.has_input(input)) return 0;
    if (const Tensor* t = request.constant(input)) return t->size();
    const Type& type = request.input_type(input);
    return type.is_static() ? element_count(type.static_shape()) : -1;
}

std::string why_not_one(const KernelRequest& request, std::size_t input, const char* name) {
    if (!request.has_input(input)) return {};
    const std::int64_t size = known_size(request, input);
    if (size == 1) return {};
    return size < 0 ? std::string("it is not known whether ") + name + " is one value"
                    : std::string(name) + " has " + std::to_string(size) +
                          " values, this kernel takes one";
}

std::string why_not_type(const KernelRequest& request, std::size_t input, DType wanted,
                         const char* name) {
    if (!request.has_input(input) || request.input_type(input).dtype == wanted) return {};
    const DType found = request.input_type(input).dtype;
    if (found == DType::undefined)
        return std::string("the element type of ") + name + " is not known";
    return std::string(name) + " is " + std::string(name_of(found)) + ", this kernel takes " +
           std::string(name_of(wanted));
}

float scale_of(const KernelContext& context, std::size_t input) {
    const Tensor& t = context.input(input);
    if (t.size() != 1 || t.dtype() != DType::f32)
        context.fail("input " + std::to_string(input) + ": expected one f32 scale, found " +
                     std::string(name_of(t.dtype())) + to_string(t.shape()));
    return t.data<float>()[0];
}

std::int32_t zero_point_of(const KernelContext& context, std::size_t input) {
    const Tensor* t = context.optional_input(input);
    if (!t) return 0;
    if (t->size() != 1 || !is_byte(t->dtype()))
        context.fail("input " + std::to_string(input) +
                     ": expected one zero point of 8 bits, found " +
                     std::string(name_of(t->dtype())) + to_string(t->shape()));
    return byte_at(*t, 0);
}

ByteScale dynamic_byte_scale(float low, float high) {
    const float scale = high == low ? 1.0f : (high - low) / 255.0f;
    const float zero = std::clamp(0.0f - low / scale, 0.0f, 255.0f);
    return {scale, static_cast<std::int32_t>(static_cast<std::uint8_t>(std::nearbyint(zero)))};
}

ByteScale dynamic_byte_scale(const float* x, std::int64_t count, ThreadPool& pool) {
    constexpr std::int64_t serial = 1 << 15, most_parts = 16;
    const ByteElementKernels& kernels = byte_element_kernels();
    float low = 0, high = 0;
    const std::int64_t parts = std::min<std::int64_t>({most_parts, pool.threads(), count / serial});
    if (parts <= 1) {
        kernels.range(x, count, &low, &high);
        return dynamic_byte_scale(low, high);
    }
    std::array<float, most_parts> lows{}, highs{};
    pool.parallel_tasks(parts, [&](std::int64_t part, int) {
        const std::int64_t begin = count * part / parts, end = count * (part + 1) / parts;
        const auto at = static_cast<std::size_t>(part);
        kernels.range(x + begin, end - begin, &lows[at], &highs[at]);
    });
    for (std::size_t i = 0; i < most_parts; ++i) {
        low = std::min(low, lows[i]);
        high = std::max(high, highs[i]);
    }
    return dynamic_byte_scale(low, high);
}

}  // namespace lapidary
