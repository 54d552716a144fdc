// SPDX-License-Identifier: Apache-2.0
// In doubles, as the reference kernel: what is cut off must not depend on how sums round.
#include "kernels/vector/integer/byte_resize.h"

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_finish.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

using DD = hn::ScalableTag<double>;
using Doubles = hn::Vec<DD>;
const DD dd;
constexpr auto wide = static_cast<std::int64_t>(hn::MaxLanes(DD()));

void repeat_positions(const std::uint8_t* from, std::int64_t times, std::int64_t count,
                      std::uint8_t* to) {
    const hn::ScalableTag<std::uint8_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t x = 0;
    if (times == 2) {
        for (; x + 2 * lanes <= count; x += 2 * lanes) {
            const auto v = hn::LoadU(d, from + x / 2);
            hn::StoreInterleaved2(v, v, d, to + x);
        }
    } else if (times == 4) {
        for (; x + 4 * lanes <= count; x += 4 * lanes) {
            const auto v = hn::LoadU(d, from + x / 4);
            hn::StoreInterleaved4(v, v, v, v, d, to + x);
        }
    }
    for (; x < count; ++x) to[x] = from[x / times];
}

void pick_positions(const std::uint8_t* from, const std::int64_t* at, std::int64_t count,
                    std::uint8_t* to) {
    for (std::int64_t x = 0; x < count; ++x) to[x] = from[at[x]];
}

template <typename T>
HWY_INLINE Doubles doubles_of(const T* from, std::int64_t count) {
    const hn::Rebind<std::int32_t, DD> d_words;
    const hn::Rebind<T, DD> d_bytes;
    return hn::PromoteTo(dd, hn::PromoteTo(d_words, load_some(d_bytes, from, count)));
}

template <typename T>
HWY_INLINE void store_cut_off(Doubles values, T* to, std::int64_t count) {
    const hn::Rebind<std::int32_t, DD> d_words;
    const hn::Rebind<T, DD> d_bytes;
    constexpr double least = static_cast<T>(-1) < 0 ? -128 : 0;
    values = hn::Min(hn::Max(values, hn::Set(dd, least)), hn::Set(dd, least + 255));
    store_some(d_bytes, hn::DemoteTo(d_bytes, hn::DemoteTo(d_words, values)), to, count);
}

HWY_INLINE Doubles blended(Doubles a, Doubles weight_a, Doubles b, Doubles weight_b) {
    return hn::Add(hn::Mul(a, weight_a), hn::Mul(b, weight_b));
}

template <typename T>
void blend_rows_of(const T* a, const T* b, double weight_a, double weight_b, std::int64_t count,
                   double* to) {
    const Doubles wa = hn::Set(dd, weight_a), wb = hn::Set(dd, weight_b);
    for (std::int64_t i = 0; i < count; i += wide)
        store_some(dd, blended(doubles_of(a + i, count - i), wa, doubles_of(b + i, count - i), wb),
                   to + i, count - i);
}

void blend_rows(const void* a, const void* b, double weight_a, double weight_b, std::int64_t count,
                bool is_signed, double* to) {
    if (is_signed)
        blend_rows_of(static_cast<const std::int8_t*>(a), static_cast<const std::int8_t*>(b),
                      weight_a, weight_b, count, to);
    else
        blend_rows_of(static_cast<const std::uint8_t*>(a), static_cast<const std::uint8_t*>(b),
                      weight_a, weight_b, count, to);
}

template <typename T>
void blend_positions_of(const double* from, const std::int64_t* low, const std::int64_t* high,
                        const double* low_weight, const double* high_weight, std::int64_t count,
                        std::int64_t width, T* to) {
    if (width == 1) {
        const hn::RebindToSigned<DD> d_index;
        std::int64_t x = 0;
        for (; x + wide <= count; x += wide) {
            const Doubles a = hn::GatherIndex(dd, from, hn::LoadU(d_index, low + x)),
                          b = hn::GatherIndex(dd, from, hn::LoadU(d_index, high + x));
            store_cut_off(
                blended(a, hn::LoadU(dd, low_weight + x), b, hn::LoadU(dd, high_weight + x)),
                to + x, wide);
        }
        for (; x < count; ++x)
            store_cut_off(blended(hn::Set(dd, from[low[x]]), hn::Set(dd, low_weight[x]),
                                  hn::Set(dd, from[high[x]]), hn::Set(dd, high_weight[x])),
                          to + x, 1);
        return;
    }
    for (std::int64_t x = 0; x < count; ++x, to += width) {
        const double *a = from + low[x] * width, *b = from + high[x] * width;
        const Doubles wa = hn::Set(dd, low_weight[x]), wb = hn::Set(dd, high_weight[x]);
        for (std::int64_t i = 0; i < width; i += wide)
            store_cut_off(
                blended(load_some(dd, a + i, width - i), wa, load_some(dd, b + i, width - i), wb),
                to + i, width - i);
    }
}

void blend_positions(const double* from, const std::int64_t* low, const std::int64_t* high,
                     const double* low_weight, const double* high_weight, std::int64_t count,
                     std::int64_t width, bool is_signed, void* to) {
    if (is_signed)
        blend_positions_of(from, low, high, low_weight, high_weight, count, width,
                           static_cast<std::int8_t*>(to));
    else
        blend_positions_of(from, low, high, low_weight, high_weight, count, width,
                           static_cast<std::uint8_t*>(to));
}

template <typename T>
void cut_off_to(const double* from, std::int64_t count, T* to) {
    for (std::int64_t i = 0; i < count; i += wide)
        store_cut_off(load_some(dd, from + i, count - i), to + i, count - i);
}

void cut_off(const double* from, std::int64_t count, bool is_signed, void* to) {
    if (is_signed) cut_off_to(from, count, static_cast<std::int8_t*>(to));
    else cut_off_to(from, count, static_cast<std::uint8_t*>(to));
}

}  // namespace

const ByteResizeKernels& byte_resize_kernels() {
    static constexpr ByteResizeKernels table{&repeat_positions, &pick_positions, &blend_rows,
                                             &blend_positions, &cut_off};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
