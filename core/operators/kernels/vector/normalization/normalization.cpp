// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/normalization/normalization.h"

#include <limits>

#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;

constexpr std::int64_t piece = 2048;  // elements that are summed in float

/// Sum over i < count of f(i, lanes), with f giving a vector whose lanes past `lanes` are zero.
/// Four sums in parallel.
template <typename F>
HWY_INLINE float sum_of_piece(std::int64_t count, F f) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    std::int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        s0 = hn::Add(s0, f(i, lanes));
        s1 = hn::Add(s1, f(i + lanes, lanes));
        s2 = hn::Add(s2, f(i + 2 * lanes, lanes));
        s3 = hn::Add(s3, f(i + 3 * lanes, lanes));
    }
    for (; i + lanes <= count; i += lanes) s0 = hn::Add(s0, f(i, lanes));
    if (i < count) s1 = hn::Add(s1, f(i, count - i));
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

/// The same for any count: pieces in float, their sums in double.
template <typename F>
HWY_INLINE double sum_of(std::int64_t count, F f) {
    double total = 0;
    for (std::int64_t begin = 0; begin < count; begin += piece)
        total += static_cast<double>(sum_of_piece(count - begin < piece ? count - begin : piece,
                                                  [&](std::int64_t i, std::int64_t left)
                                                      HWY_ATTR { return f(begin + i, left); }));
    return total;
}

HWY_INLINE V load(const float* from, std::int64_t left) {
    return left >= static_cast<std::int64_t>(hn::Lanes(d)) ? hn::LoadU(d, from)
                                                           : load_first(d, from, left);
}
HWY_INLINE void store(V v, float* to, std::int64_t left) {
    if (left >= static_cast<std::int64_t>(hn::Lanes(d))) hn::StoreU(v, d, to);
    else store_first(d, v, to, left);
}

/// v with zeros past `lanes`.
HWY_INLINE V first_lanes(V v, std::int64_t lanes) {
    return lanes >= static_cast<std::int64_t>(hn::Lanes(d))
               ? v
               : hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(lanes)), v);
}

/// (v - mean)^2 with zeros past `lanes`.
HWY_INLINE V squared_distance(V v, V mean, std::int64_t lanes) {
    const V distance = hn::Sub(v, mean);
    return first_lanes(hn::Mul(distance, distance), lanes);
}

/// Mean of a row, 0 where it is not centered, and the sum of squared distances from it.
struct WideSums {
    double mean = 0, squares = 0;
};

/// Slow: for rows whose sums or squares pass what float holds.
template <bool centers>
WideSums wide_sums(const float* x, std::int64_t count) {
    WideSums sums;
    if constexpr (centers) {
        for (std::int64_t i = 0; i < count; ++i) sums.mean += static_cast<double>(x[i]);
        sums.mean /= static_cast<double>(count);
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const double distance = static_cast<double>(x[i]) - sums.mean;
        sums.squares += distance * distance;
    }
    return sums;
}

/// False for infinity and NaN.
bool holds(double sum) { return sum <= std::numeric_limits<double>::max(); }

template <bool centers>
void normalize_rows(const NormalizedRows& r, std::int64_t begin, std::int64_t end) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t width = r.width;
    for (std::int64_t row = begin; row < end; ++row) {
        const float* x = r.x + row * width;
        const float* skip = r.skip ? r.skip + row % r.skip_rows * width : nullptr;
        float* y = r.y + row * width;
        const float* s = x;
        double total = 0;
        if (skip || r.bias) {
            float* sum = r.sum ? r.sum + row * width : y;
            total = sum_of(width, [&](std::int64_t i, std::int64_t left) HWY_ATTR {
                V v = load(x + i, left);
                if (skip) v = hn::Add(v, load(skip + i, left));
                if (r.bias) v = hn::Add(v, load(r.bias + i, left));
                store(v, sum + i, left);
                return centers ? v : hn::Mul(v, v);
            });
            s = sum;
        } else if (r.sum) {
            total = sum_of(width, [&](std::int64_t i, std::int64_t left) HWY_ATTR {
                const V v = load(x + i, left);
                store(v, r.sum + row * width + i, left);
                return centers ? v : hn::Mul(v, v);
            });
        } else {
            total = sum_of(width, [&](std::int64_t i, std::int64_t left) HWY_ATTR {
                const V v = load(x + i, left);
                return centers ? v : hn::Mul(v, v);
            });
        }
        float mean = 0, inverse = 0;
        if constexpr (centers) {
            mean = static_cast<float>(total / static_cast<double>(width));
            const V center = hn::Set(d, mean);
            double squares = sum_of(width, [&](std::int64_t i, std::int64_t left) HWY_ATTR {
                return squared_distance(load(s + i, left), center, left);
            });
            if (!holds(squares)) {
                const WideSums sums = wide_sums<true>(s, width);
                mean = static_cast<float>(sums.mean);
                squares = sums.squares;
            }
            inverse = static_cast<float>(1 / __builtin_sqrt(squares / static_cast<double>(width) +
                                                            static_cast<double>(r.epsilon)));
        } else {
            if (!holds(total)) total = wide_sums<false>(s, width).squares;
            inverse = static_cast<float>(1 / __builtin_sqrt(total / static_cast<double>(width) +
                                                            static_cast<double>(r.epsilon)));
        }
        if (r.mean) r.mean[row] = mean;
        if (r.inverse_deviation) r.inverse_deviation[row] = inverse;
        const V center = hn::Set(d, mean), factor = hn::Set(d, inverse);
        const auto normalized = [&](std::int64_t i, std::int64_t left) HWY_ATTR {
            V v = load(s + i, left);
            if constexpr (centers) v = hn::Sub(v, center);
            v = hn::Mul(v, factor);
            const V scale = load(r.scale + i, left);
            return r.shift ? hn::MulAdd(v, scale, load(r.shift + i, left)) : hn::Mul(v, scale);
        };
        std::int64_t i = 0;
        for (; i + lanes <= width; i += lanes) hn::StoreU(normalized(i, lanes), d, y + i);
        if (i < width) store_first(d, normalized(i, width - i), y + i, width - i);
    }
}

/// Mean and sum of squared distances from it, put together from pieces that stay in the first-level
/// cache: large groups are read from memory once. Sums count from `origin`, an element, so that the
/// moments of equal elements are exact.
struct Moments {
    float origin = 0;
    double count = 0, mean = 0, squares = 0;

    void add(const float* x, std::int64_t n) {
        const V zero = hn::Set(d, origin);
        for (; n > 0; x += piece, n -= piece) {
            const std::int64_t length = n < piece ? n : piece;
            const double part = static_cast<double>(length);
            const double average =
                static_cast<double>(origin) +
                static_cast<double>(sum_of_piece(
                    length,
                    [&](std::int64_t i, std::int64_t left)
                        HWY_ATTR { return first_lanes(hn::Sub(load(x + i, left), zero), left); })) /
                    part;
            const V center = hn::Set(d, static_cast<float>(average));
            const float distances =
                sum_of_piece(length, [&](std::int64_t i, std::int64_t left) HWY_ATTR {
                    return squared_distance(load(x + i, left), center, left);
                });
            const double delta = average - mean, total = count + part;
            squares += static_cast<double>(distances) + delta * delta * count * part / total;
            mean += delta * part / total;
            count = total;
        }
    }

    /// Slow: for groups whose sums or squares pass what float holds.
    void take_wide_sums(const NormalizedGroup& g) {
        const auto sum = [&](auto term) {
            double total = 0;
            for (std::int64_t run = 0; run < g.runs; ++run)
                for (std::int64_t i = 0; i < g.run_length; ++i)
                    total += term(static_cast<double>(g.x[run * g.run_stride + i]));
            return total;
        };
        mean = sum([](double v) { return v; }) / count;
        squares = sum([&](double v) { return (v - mean) * (v - mean); });
    }
};

void group(const NormalizedGroup& g) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    Moments moments{.origin = g.x[0]};
    for (std::int64_t run = 0; run < g.runs; ++run)
        moments.add(g.x + run * g.run_stride, g.run_length);
    if (!holds(moments.squares)) moments.take_wide_sums(g);
    const V center = hn::Set(d, static_cast<float>(moments.mean));
    const V factor =
        hn::Set(d, static_cast<float>(1 / (__builtin_sqrt(moments.squares / moments.count +
                                                          static_cast<double>(g.epsilon)) +
                                           static_cast<double>(g.deviation_offset))));
    for (std::int64_t run = 0; run < g.runs; ++run) {
        const float* from = g.x + run * g.run_stride;
        float* to = g.y + run * g.run_stride;
        const V run_scale = hn::Set(d, g.scale[run * g.parameter_step]),
                run_shift = hn::Set(d, g.shift[run * g.parameter_step]);
        const auto normalized = [&](std::int64_t i, std::int64_t left) HWY_ATTR {
            const V v = hn::Mul(hn::Sub(load(from + i, left), center), factor);
            const V y = g.per_element
                            ? hn::MulAdd(v, load(g.scale + i, left), load(g.shift + i, left))
                            : hn::MulAdd(v, run_scale, run_shift);
            return g.silu ? hn::Mul(y, sigmoid(d, y)) : y;
        };
        std::int64_t i = 0;
        for (; i + lanes <= g.run_length; i += lanes) hn::StoreU(normalized(i, lanes), d, to + i);
        if (i < g.run_length)
            store_first(d, normalized(i, g.run_length - i), to + i, g.run_length - i);
    }
}

void affine(const float* x, float* y, std::int64_t count, float factor, float shift) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const V f = hn::Set(d, factor), s = hn::Set(d, shift);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(hn::MulAdd(hn::LoadU(d, x + i), f, s), d, y + i);
    if (i < count)
        store_first(d, hn::MulAdd(load_first(d, x + i, count - i), f, s), y + i, count - i);
}

}  // namespace

const NormalizationKernels& normalization_kernels() {
    static constexpr NormalizationKernels table{&normalize_rows<true>, &normalize_rows<false>,
                                                &group, &affine};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
