// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/pooling/resize.h"

#include <cstring>

#include <hwy/highway.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

void blend_rows(const float* a, const float* b, float weight_a, float weight_b, std::int64_t count,
                float* to) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto wa = hn::Set(d, weight_a), wb = hn::Set(d, weight_b);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::MulAdd(hn::LoadU(d, b + i), wb, hn::Mul(hn::LoadU(d, a + i), wa)), d,
                   to + i);
    for (; i < count; ++i) to[i] = b[i] * weight_b + a[i] * weight_a;
}

template <int block>
void blend_blocks(const float* from, const std::int32_t* low, const std::int32_t* high,
                  const float* low_weight, const float* high_weight, std::int64_t count,
                  float* to) {
    const hn::CappedTag<float, block> d;
    for (std::int64_t x = 0; x < count; ++x, to += block) {
        const auto wa = hn::Set(d, low_weight[x]), wb = hn::Set(d, high_weight[x]);
        const float *a = from + std::int64_t{low[x]} * block,
                    *b = from + std::int64_t{high[x]} * block;
        for (int lane = 0; lane < block; lane += static_cast<int>(hn::Lanes(d)))
            hn::StoreU(hn::MulAdd(hn::LoadU(d, b + lane), wb, hn::Mul(hn::LoadU(d, a + lane), wa)),
                       d, to + lane);
    }
}

/// Any number of lanes.
void blend_lanes(const float* from, const std::int32_t* low, const std::int32_t* high,
                 const float* low_weight, const float* high_weight, std::int64_t count,
                 std::int64_t lanes, float* to) {
    const hn::ScalableTag<float> d;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t x = 0; x < count; ++x, to += lanes) {
        const auto wa = hn::Set(d, low_weight[x]), wb = hn::Set(d, high_weight[x]);
        const float *a = from + low[x] * lanes, *b = from + high[x] * lanes;
        std::int64_t lane = 0;
        for (; lane + step <= lanes; lane += step)
            hn::StoreU(hn::MulAdd(hn::LoadU(d, b + lane), wb, hn::Mul(hn::LoadU(d, a + lane), wa)),
                       d, to + lane);
        if (lane == lanes) continue;
        const std::int64_t rest = lanes - lane;
        const auto first = hn::Mul(load_first(d, a + lane, rest), wa);
        store_first(d, hn::MulAdd(load_first(d, b + lane, rest), wb, first), to + lane, rest);
    }
}

void blend_positions(const float* from, const std::int32_t* low, const std::int32_t* high,
                     const float* low_weight, const float* high_weight, std::int64_t count,
                     std::int64_t lanes, float* to) {
    if (lanes == 16) return blend_blocks<16>(from, low, high, low_weight, high_weight, count, to);
    if (lanes == 8) return blend_blocks<8>(from, low, high, low_weight, high_weight, count, to);
    if (lanes != 1) return blend_lanes(from, low, high, low_weight, high_weight, count, lanes, to);
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t last = count > 0 ? high[count - 1] : 0;
    std::int64_t x = 0;
    for (; x + step <= count; x += step) {
        const auto at_low = hn::LoadU(di, low + x), at_high = hn::LoadU(di, high + x);
        auto a = hn::Undefined(d), b = a;
        // When a picture is enlarged, one vector holds all inputs of neighbouring results;
        // permuting it is faster than gathering.
        const std::int64_t base = low[x] < last - step + 1 ? low[x] : last - step + 1;
        const hn::RebindToUnsigned<decltype(d)> du;
        const auto first = hn::Set(di, static_cast<std::int32_t>(base));
        const auto inside = [&](auto at) {
            return hn::AllTrue(du, hn::Lt(hn::BitCast(du, hn::Sub(at, first)),
                                          hn::Set(du, static_cast<std::uint32_t>(step))));
        };
        if (base >= 0 && inside(at_low) && inside(at_high)) {
            const auto all = hn::LoadU(d, from + base);
            a = hn::TableLookupLanes(all, hn::IndicesFromVec(d, hn::Sub(at_low, first)));
            b = hn::TableLookupLanes(all, hn::IndicesFromVec(d, hn::Sub(at_high, first)));
        } else {
            a = hn::GatherIndex(d, from, at_low);
            b = hn::GatherIndex(d, from, at_high);
        }
        hn::StoreU(
            hn::MulAdd(b, hn::LoadU(d, high_weight + x), hn::Mul(a, hn::LoadU(d, low_weight + x))),
            d, to + x);
    }
    for (; x < count; ++x) to[x] = from[high[x]] * high_weight[x] + from[low[x]] * low_weight[x];
}

void filter_rows(const float* const* rows, const float* weights, std::int64_t taps,
                 std::int64_t count, float* to) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        auto first = hn::Zero(d), second = first;
        for (std::int64_t t = 0; t < taps; ++t) {
            const auto weight = hn::Set(d, weights[t]);
            first = hn::MulAdd(hn::LoadU(d, rows[t] + i), weight, first);
            second = hn::MulAdd(hn::LoadU(d, rows[t] + i + lanes), weight, second);
        }
        hn::StoreU(first, d, to + i);
        hn::StoreU(second, d, to + i + lanes);
    }
    for (; i < count; ++i) {
        float sum = 0;
        for (std::int64_t t = 0; t < taps; ++t) sum += rows[t][i] * weights[t];
        to[i] = sum;
    }
}

void filter_positions(const float* from, const std::int32_t* index, const float* weight,
                      std::int64_t taps, std::int64_t count, float* to) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t x = 0;
    for (; x + lanes <= count; x += lanes) {
        auto sum = hn::Zero(d);
        for (std::int64_t t = 0; t < taps; ++t) {
            const auto w = hn::LoadU(d, weight + t * count + x),
                       value = hn::GatherIndex(d, from, hn::LoadU(di, index + t * count + x));
            sum = hn::MulAdd(value, w, sum);
        }
        hn::StoreU(sum, d, to + x);
    }
    for (; x < count; ++x) {
        float sum = 0;
        for (std::int64_t t = 0; t < taps; ++t)
            sum += from[index[t * count + x]] * weight[t * count + x];
        to[x] = sum;
    }
}

void repeat_positions(const float* from, std::int64_t times, std::int64_t count, float* to) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t x = 0;
    if (times == 2) {
        for (; x + 2 * lanes <= count; x += 2 * lanes) {
            const auto v = hn::LoadU(d, from + x / 2);
            hn::StoreInterleaved2(v, v, d, to + x);
        }
    } else if (times == 3) {
        for (; x + 3 * lanes <= count; x += 3 * lanes) {
            const auto v = hn::LoadU(d, from + x / 3);
            hn::StoreInterleaved3(v, v, v, d, to + x);
        }
    } else if (times == 4) {
        for (; x + 4 * lanes <= count; x += 4 * lanes) {
            const auto v = hn::LoadU(d, from + x / 4);
            hn::StoreInterleaved4(v, v, v, v, d, to + x);
        }
    }
    for (; x < count; ++x) to[x] = from[x / times];
}

template <int block>
void pick_blocks(const float* from, const std::int32_t* at, std::int64_t count, float* to) {
    const hn::CappedTag<float, block> d;
    for (std::int64_t x = 0; x < count; ++x, to += block)
        for (int lane = 0; lane < block; lane += static_cast<int>(hn::Lanes(d)))
            hn::StoreU(hn::LoadU(d, from + std::int64_t{at[x]} * block + lane), d, to + lane);
}

void pick_positions(const float* from, const std::int32_t* at, std::int64_t count,
                    std::int64_t lanes, float* to) {
    if (lanes == 16) return pick_blocks<16>(from, at, count, to);
    if (lanes == 8) return pick_blocks<8>(from, at, count, to);
    if (lanes != 1) {
        for (std::int64_t x = 0; x < count; ++x)
            std::memcpy(to + x * lanes, from + at[x] * lanes,
                        static_cast<std::size_t>(lanes) * sizeof(float));
        return;
    }
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t x = 0;
    for (; x + step <= count; x += step)
        hn::StoreU(hn::GatherIndex(d, from, hn::LoadU(di, at + x)), d, to + x);
    for (; x < count; ++x) to[x] = from[at[x]];
}

}  // namespace

const ResizeKernels& resize_kernels() {
    static constexpr ResizeKernels table{&blend_rows,       &blend_positions,  &filter_rows,
                                         &filter_positions, &repeat_positions, &pick_positions};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
