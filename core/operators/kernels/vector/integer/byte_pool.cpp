// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/integer/byte_pool.h"

#include <hwy/highway.h>

#include "kernels/vector/integer/byte_values.h"
#include "kernels/vector/math.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

template <typename T>
void average_of(const void* const* places, std::int64_t taps, float divisor, std::int64_t channels,
                ByteScale x, ByteScale y, T* to) {
    ToBytes<T, true>(y).fill(
        channels, to, [&](std::int64_t c, std::int64_t left) __attribute__((always_inline)) {
            Reals sum = hn::Zero(df);
            for (std::int64_t t = 0; t < taps; ++t)
                sum = hn::Add(sum, real_of(static_cast<const T*>(places[t]) + c, left, x));
            return hn::Div(sum, hn::Set(df, divisor));
        });
}

void average(const void* const* places, std::int64_t taps, float divisor, std::int64_t channels,
             ByteScale x, ByteScale y, bool is_signed, void* to) {
    if (is_signed) average_of(places, taps, divisor, channels, x, y, static_cast<std::int8_t*>(to));
    else average_of(places, taps, divisor, channels, x, y, static_cast<std::uint8_t*>(to));
}

template <typename T>
void mean_of(const T* from, std::int64_t positions, std::int64_t stride, std::int64_t channels,
             ByteScale x, ByteScale y, T* to) {
    ToBytes<T>(y).fill(
        channels, to, [&](std::int64_t c, std::int64_t left) __attribute__((always_inline)) {
            float means[lanes], values[lanes];
            double sums[lanes] = {};
            for (std::int64_t p = 0; p < positions; ++p) {
                hn::StoreU(real_of(from + p * stride + c, left, x), df, values);
#pragma GCC unroll 16
                for (std::int64_t i = 0; i < lanes; ++i) sums[i] += static_cast<double>(values[i]);
            }
            for (std::int64_t i = 0; i < lanes; ++i)
                means[i] = static_cast<float>(sums[i] / static_cast<double>(positions));
            return hn::LoadU(df, means);
        });
}

void mean(const void* from, std::int64_t positions, std::int64_t stride, std::int64_t channels,
          ByteScale x, ByteScale y, bool is_signed, void* to) {
    if (is_signed)
        mean_of(static_cast<const std::int8_t*>(from), positions, stride, channels, x, y,
                static_cast<std::int8_t*>(to));
    else
        mean_of(static_cast<const std::uint8_t*>(from), positions, stride, channels, x, y,
                static_cast<std::uint8_t*>(to));
}

template <typename T>
void quotients_of(const float* sums, const float* divisors, std::int64_t count, ByteScale y,
                  T* to) {
    ToBytes<T, true>(y).fill(
        count, to, [&](std::int64_t i, std::int64_t left) __attribute__((always_inline)) {
            const Reals divisor =
                left >= lanes
                    ? hn::LoadU(df, divisors + i)
                    : hn::IfThenElse(hn::FirstN(df, static_cast<std::size_t>(left)),
                                     load_some(df, divisors + i, left), hn::Set(df, 1.0f));
            return hn::Div(load_some(df, sums + i, left), divisor);
        });
}

void quotients(const float* sums, const float* divisors, std::int64_t count, ByteScale y,
               bool is_signed, void* to) {
    if (is_signed) quotients_of(sums, divisors, count, y, static_cast<std::int8_t*>(to));
    else quotients_of(sums, divisors, count, y, static_cast<std::uint8_t*>(to));
}

template <typename T>
double total_of(const T* from, std::int64_t count, ByteScale x) {
    const hn::ScalableTag<double> dd;
    hn::Vec<decltype(dd)> sums[2] = {hn::Zero(dd), hn::Zero(dd)};
    for (std::int64_t i = 0; i < count; i += lanes) {
        const std::int64_t left = count - i;
        Reals v;
        if (left >= lanes) v = real_of(from + i, lanes, x);
        else if (count >= lanes)
            v = hn::IfThenZeroElse(hn::FirstN(df, static_cast<std::size_t>(lanes - left)),
                                   real_of(from + count - lanes, lanes, x));
        else
            v = hn::IfThenElseZero(hn::FirstN(df, static_cast<std::size_t>(left)),
                                   real_of(from + i, left, x));
#if HWY_TARGET == HWY_SCALAR
        sums[0] = hn::Add(sums[0], hn::PromoteTo(dd, v));
#else
        const hn::Half<DF> half;
        sums[0] = hn::Add(sums[0], hn::PromoteTo(dd, hn::LowerHalf(half, v)));
        sums[1] = hn::Add(sums[1], hn::PromoteTo(dd, hn::UpperHalf(half, v)));
#endif
    }
    double parts[hn::MaxLanes(dd)], total = 0;
    hn::StoreU(hn::Add(sums[0], sums[1]), dd, parts);
    for (const double part : parts) total += part;
    return total;
}

double total(const void* from, std::int64_t count, ByteScale x, bool is_signed) {
    return is_signed ? total_of(static_cast<const std::int8_t*>(from), count, x)
                     : total_of(static_cast<const std::uint8_t*>(from), count, x);
}

template <typename T>
void softmax_of(const T* from, std::int64_t count, ByteScale x, ByteScale y, float* values, T* to) {
    float parts[lanes];
    Reals highs = hn::Set(df, -HUGE_VALF);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const Reals v = real_of(from + i, lanes, x);
        hn::StoreU(v, df, values + i);
        highs = hn::Max(highs, v);
    }
    hn::StoreU(highs, df, parts);
    float most = parts[0];
    for (std::int64_t n = 1; n < lanes; ++n) most = parts[n] > most ? parts[n] : most;
    if (i < count) {
        hn::StoreU(real_of(from + i, count - i, x), df, parts);
        for (std::int64_t n = 0; i + n < count; ++n) {
            values[i + n] = parts[n];
            most = parts[n] > most ? parts[n] : most;
        }
    }
    const Reals largest = hn::Set(df, most);
    double sum = 0;
    Reals sums = hn::Zero(df);
    for (i = 0; i + lanes <= count; i += lanes) {
        const Reals e = exp(df, hn::Sub(hn::LoadU(df, values + i), largest));
        hn::StoreU(e, df, values + i);
        sums = hn::Add(sums, e);
    }
    hn::StoreU(sums, df, parts);
    for (std::int64_t n = 0; n < lanes; ++n) sum += static_cast<double>(parts[n]);
    if (i < count) {
        hn::StoreU(exp(df, hn::Sub(load_some(df, values + i, count - i), largest)), df, parts);
        for (std::int64_t n = 0; i < count; ++i, ++n) {
            values[i] = parts[n];
            sum += static_cast<double>(parts[n]);
        }
    }
    const Reals factor = hn::Set(df, static_cast<float>(1 / sum));
    ToBytes<T>(y).fill(
        count, to, [&](std::int64_t at, std::int64_t left) __attribute__((always_inline)) {
            return hn::Mul(load_some(df, values + at, left), factor);
        });
}

void softmax(const void* from, std::int64_t count, ByteScale x, ByteScale y, bool is_signed,
             float* values, void* to) {
    if (count == 0) return;
    if (is_signed)
        softmax_of(static_cast<const std::int8_t*>(from), count, x, y, values,
                   static_cast<std::int8_t*>(to));
    else
        softmax_of(static_cast<const std::uint8_t*>(from), count, x, y, values,
                   static_cast<std::uint8_t*>(to));
}

template <typename T>
void softmax_across_of(const T* from, std::int64_t length, std::int64_t stride,
                       std::int64_t columns, ByteScale x, ByteScale y, float* values, T* to) {
    constexpr std::int64_t block = softmax_columns;
    alignas(64) float factors[block];
    const ToBytes<T> bytes(y);
    for (std::int64_t c = 0; c < columns; c += block) {
        const std::int64_t count = columns - c < block ? columns - c : block;
        for (std::int64_t n = 0; n < count; n += lanes) {
            Reals most = hn::Set(df, -HUGE_VALF), sum = hn::Zero(df);
            for (std::int64_t i = 0; i < length; ++i) {
                const Reals v = real_of(from + i * stride + c + n, count - n, x);
                hn::StoreU(v, df, values + i * block + n);
                most = hn::Max(most, v);
            }
            for (std::int64_t i = 0; i < length; ++i) {
                const Reals e = exp(df, hn::Sub(hn::LoadU(df, values + i * block + n), most));
                hn::StoreU(e, df, values + i * block + n);
                sum = hn::Add(sum, e);
            }
            hn::StoreU(hn::Div(hn::Set(df, 1.0f), sum), df, factors + n);
        }
        for (std::int64_t i = 0; i < length; ++i)
            bytes.fill(
                count, to + i * stride + c,
                [&](std::int64_t at, std::int64_t) __attribute__((always_inline)) {
                    return hn::Mul(hn::LoadU(df, values + i * block + at),
                                   hn::LoadU(df, factors + at));
                });
    }
}

void softmax_across(const void* from, std::int64_t length, std::int64_t stride,
                    std::int64_t columns, ByteScale x, ByteScale y, bool is_signed, float* values,
                    void* to) {
    if (length == 0) return;
    if (is_signed)
        softmax_across_of(static_cast<const std::int8_t*>(from), length, stride, columns, x, y,
                          values, static_cast<std::int8_t*>(to));
    else
        softmax_across_of(static_cast<const std::uint8_t*>(from), length, stride, columns, x, y,
                          values, static_cast<std::uint8_t*>(to));
}

}  // namespace

const BytePoolKernels& byte_pool_kernels() {
    static constexpr BytePoolKernels table{&average, &mean,    &quotients,
                                           &total,   &softmax, &softmax_across};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
