// SPDX-License-Identifier: Apache-2.0
// Turns exact sums of products of bytes into results, and reads bytes and zero points.
#pragma once

#include "kernels/integer/quantized.h"
#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

GPU_DEVICE int integer_at(const void* data, int type, long long i) {
    if (type == 2) return at<std::uint8_t>(data, i);
    return type == 3 ? at<std::int8_t>(data, i) : at<std::int32_t>(data, i);
}
/// A zero point, 0 where there is none.
GPU_DEVICE int zero_at(const void* data, int type, long long i) {
    return data ? integer_at(data, type, i) : 0;
}

/// Rounds and clamps to u8 (type 2) or i8; NaN becomes 0.
GPU_DEVICE int level_within(int type, float level) {
    const float low = type == 2 ? 0.0f : -128.0f, high = type == 2 ? 255.0f : 127.0f;
    return static_cast<int>(level > low ? level < high ? level : high : low);
}

/// Requantize for one filter or column.
struct FilterScale {
    float multiplier = 1, float_bias = 0;
    int bias = 0;
};
GPU_DEVICE FilterScale scale_of(const Requantize& r, int filter) {
    FilterScale scale;
    if (r.type == 6) return scale;
    scale.multiplier = *r.x_scale * r.w_scale[r.is_per_filter ? filter : 0];
    if (r.type == 1) {
        if (r.float_bias) scale.float_bias = r.float_bias[filter];
        return scale;
    }
    scale.multiplier = scale.multiplier / *r.y_scale;
    if (r.bias) scale.bias = r.bias[filter];
    return scale;
}

/// Kinds of outputs: int32, f32, bytes.
enum class SumKind : std::uint8_t { whole, scaled, levels };
template <SumKind kind>
struct SumKindTag {};

/// Calls use(SumKindTag) for the output's type.
template <typename Use>
GPU_DEVICE void with_kind(const Requantize& r, const Use& use) {
    if (r.type == 6) use(SumKindTag<SumKind::whole>());
    else if (r.type == 1) use(SumKindTag<SumKind::scaled>());
    else use(SumKindTag<SumKind::levels>());
}

template <typename T>
GPU_DEVICE void store_four(T* to, const Quad<T>& quad, int count, bool is_whole) {
    if (is_whole) {
        *reinterpret_cast<Quad<T>*>(to) = quad;
        return;
    }
    GPU_UNROLL for (int i = 0; i < 4; ++i) if (i < count) to[i] = quad.of[i];
}

/// Stores `count` of four neighbours from `place` on; scale(i) is the scale of each. `is_whole`:
/// all four exist and are aligned to 4 elements. `y_zero`: the output's zero point.
template <SumKind kind, typename Scale>
GPU_DEVICE void store_sums(SumKindTag<kind>, const Requantize& r, float y_zero, void* y,
                           long long place, const int (&sum)[4], const Scale& scale, int count,
                           bool is_whole) {
    if constexpr (kind == SumKind::whole) {
        Quad<std::int32_t> quad;
        GPU_UNROLL for (int i = 0; i < 4; ++i) quad.of[i] = sum[i];
        store_four(static_cast<std::int32_t*>(y) + place, quad, count, is_whole);
    } else if constexpr (kind == SumKind::scaled) {
        Quad<float> quad;
        GPU_UNROLL for (int i = 0; i < 4; ++i) {
            const FilterScale s = scale(i);
            const float scaled = static_cast<float>(sum[i]) * s.multiplier;
            quad.of[i] = r.float_bias ? scaled + s.float_bias : scaled;
        }
        store_four(static_cast<float*>(y) + place, quad, count, is_whole);
    } else {
        Quad<std::uint8_t> quad;
        GPU_UNROLL for (int i = 0; i < 4; ++i) {
            const FilterScale s = scale(i);
            const float level =
                std::rint(static_cast<float>(multiply_add(1, s.bias, sum[i])) * s.multiplier) +
                y_zero;
            quad.of[i] = static_cast<std::uint8_t>(level_within(r.type, level));
        }
        store_four(static_cast<std::uint8_t*>(y) + place, quad, count, is_whole);
    }
}
GPU_DEVICE float zero_of_output(const Requantize& r) {
    return r.type == 2 || r.type == 3 ? static_cast<float>(zero_at(r.y_zero, r.type, 0)) : 0.0f;
}

/// Where the matrices of one product of the batch begin.
struct BatchPlace {
    long long a = 0, b = 0;
};
GPU_DEVICE BatchPlace place_of(const ProductArgs& p, int batch) {
    BatchPlace place;
    for (int axis = p.batch_rank - 1; axis >= 0; --axis) {
        const int at = batch % p.batch_dims[axis];
        batch /= p.batch_dims[axis];
        place.a += static_cast<long long>(at) * p.a_batch[axis];
        place.b += static_cast<long long>(at) * p.b_batch[axis];
    }
    return place;
}

}  // namespace lapidary::cuda
