// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/pooling/pool.h"

#include <kernels/vector/math.h>

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

/// A maximum begins at start() of its first element. NaN is passed over, wherever it stands: the
/// maximum of NaN alone is minus infinity.
struct Largest {
    template <class V>
    static HWY_INLINE V join(V a, V b) {
#if HWY_TARGET <= HWY_SSSE3
        return hn::Max(b, a);  // x86 gives the second operand where either is NaN
#else
        return hn::IfThenElse(hn::Gt(b, a), b, a);
#endif
    }
    template <class V>
    static HWY_INLINE V start(V v) {
        const hn::DFromV<V> d;
        if constexpr (hwy::IsFloat<hn::TFromD<decltype(d)>>())
            return join(hn::Set(d, -HUGE_VALF), v);
        else return v;
    }
    static HWY_INLINE float join(float a, float b) { return b > a ? b : a; }
    static HWY_INLINE float start(float v) { return join(-HUGE_VALF, v); }
};

/// The same, but NaN is kept, as the reductions of ONNX do.
struct LargestOrNan {
    template <class V>
    static HWY_INLINE V join(V a, V b) {
        return hn::IfThenElse(hn::Or(hn::Gt(b, a), hn::IsNaN(b)), b, a);
    }
    template <class V>
    static HWY_INLINE V start(V v) {
        return v;
    }
    static HWY_INLINE float join(float a, float b) { return b > a || b != b ? b : a; }
    static HWY_INLINE float start(float v) { return v; }
};

struct Total {
    template <class V>
    static HWY_INLINE V join(V a, V b) {
        return hn::Add(a, b);
    }
    template <class V>
    static HWY_INLINE V start(V v) {
        return v;
    }
    static HWY_INLINE float join(float a, float b) { return a + b; }
};

/// A vector of which `count` lanes exist in memory.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_some(D d, const T* p, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::LoadU(d, p);
    T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
    for (std::int64_t i = 0; i < count; ++i) buffer[i] = p[i];
    return hn::LoadU(d, buffer);
}

template <class D, class T>
HWY_INLINE void store_some(D d, hn::Vec<D> v, T* p, std::int64_t count) {
    if (count >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(v, d, p);
    T buffer[HWY_MAX_BYTES / sizeof(T)];
    hn::StoreU(v, d, buffer);
    for (std::int64_t i = 0; i < count; ++i) p[i] = buffer[i];
}

/// Taps [begin, end) of `kernel` that lie inside [0, size) when tap 0 lies at `start`.
struct Taps {
    std::int64_t begin, end;
};

HWY_INLINE Taps taps_inside(std::int64_t start, std::int64_t kernel, std::int64_t dilation,
                            std::int64_t size) {
    if (start >= 0 && start + (kernel - 1) * dilation < size) return {0, kernel};
    std::int64_t begin = start < 0 ? (-start + dilation - 1) / dilation : 0;
    std::int64_t end = start >= size ? 0 : (size - 1 - start) / dilation + 1;
    if (end > kernel) end = kernel;
    if (begin > end) begin = end;
    return {begin, end};
}

/// One output position, `kernel_width` taps per row known when compiled (0: not).
template <class Op, int kernel_width, class D, class T>
HWY_INLINE hn::Vec<D> window(D d, const T* from, std::int64_t rows, std::int64_t row_step,
                             std::int64_t columns, std::int64_t column_step,
                             std::int64_t available) {
    const std::int64_t width = kernel_width ? kernel_width : columns;
    auto result = Op::start(load_some(d, from, available));
    for (std::int64_t tap = 1; tap < width; ++tap)
        result = Op::join(result, load_some(d, from + tap * column_step, available));
    for (std::int64_t r = 1; r < rows; ++r) {
        from += row_step;
        for (std::int64_t tap = 0; tap < width; ++tap)
            result = Op::join(result, load_some(d, from + tap * column_step, available));
    }
    return result;
}

/// Positions [x, end) whose windows all have `kernel_width` columns inside, from the first one's
/// first tap on.
template <class Op, int kernel_width, class T, class D, class Finish>
HWY_INLINE void pool_inside(D d, const T* from, const PoolWindow& w, std::int64_t lanes,
                            std::int64_t rows, std::int64_t x, std::int64_t end, T* to,
                            const Finish& finish) {
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t row_step = w.dilation_height * w.width * lanes,
                       column_step = w.dilation_width * lanes, advance = w.stride_width * lanes;
    // The rows that the next row of windows adds.
    const T* ahead = from + rows * row_step;
    for (; x < end; ++x, from += advance, ahead += advance, to += lanes) {
        for (std::int64_t row = 0; row < w.stride_height && row < 2; ++row)
            for (std::int64_t i = 0; i < advance; i += 64 / static_cast<std::int64_t>(sizeof(T)))
                __builtin_prefetch(ahead + row * w.width * lanes + i);
        std::int64_t lane = 0;
        for (; lane + step <= lanes; lane += step)
            hn::StoreU(finish(window<Op, kernel_width>(d, from + lane, rows, row_step,
                                                       w.kernel_width, column_step, step),
                              x),
                       d, to + lane);
        if (lane == lanes) continue;
        // the last vector of bytes, of which some are maxima already
        if (sizeof(T) == 1 && lanes >= step) {
            lane = lanes - step;
            hn::StoreU(finish(window<Op, kernel_width>(d, from + lane, rows, row_step,
                                                       w.kernel_width, column_step, step),
                              x),
                       d, to + lane);
        } else {
            store_some(d,
                       finish(window<Op, 0>(d, from + lane, rows, row_step, w.kernel_width,
                                            column_step, lanes - lane),
                              x),
                       to + lane, lanes - lane);
        }
    }
}

template <class Op, class T, class D, class Finish>
HWY_INLINE void pool_last(D d, const T* image, const PoolWindow& w, std::int64_t lanes,
                          std::int64_t y, T* to, const Finish& finish) {
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    const std::int64_t top = y * w.stride_height - w.pad_top,
                       column_step = w.dilation_width * lanes;
    const Taps rows = taps_inside(top, w.kernel_height, w.dilation_height, w.height);
    const T* first_row = image + (top + rows.begin * w.dilation_height) * w.width * lanes;
    const std::int64_t row_count = rows.end - rows.begin,
                       row_step = w.dilation_height * w.width * lanes;
    // Windows wholly inside: x * stride >= pad, and the last tap before the end.
    const std::int64_t last_start =
        w.width - 1 - (w.kernel_width - 1) * w.dilation_width + w.pad_left;
    std::int64_t inside = (w.pad_left + w.stride_width - 1) / w.stride_width,
                 outside = last_start < 0 ? 0 : last_start / w.stride_width + 1;
    if (outside > w.output_width) outside = w.output_width;
    if (row_count == 0 || inside >= outside) inside = outside = w.output_width;
    for (std::int64_t x = 0; x < w.output_width; ++x) {
        if (x == inside) {
            const T* from = first_row + (x * w.stride_width - w.pad_left) * lanes;
            if (w.kernel_width == 3)
                pool_inside<Op, 3>(d, from, w, lanes, row_count, x, outside, to + x * lanes,
                                   finish);
            else if (w.kernel_width == 2)
                pool_inside<Op, 2>(d, from, w, lanes, row_count, x, outside, to + x * lanes,
                                   finish);
            else
                pool_inside<Op, 0>(d, from, w, lanes, row_count, x, outside, to + x * lanes,
                                   finish);
            x = outside;
            if (x == w.output_width) break;
        }
        const std::int64_t left = x * w.stride_width - w.pad_left;
        const Taps columns = taps_inside(left, w.kernel_width, w.dilation_width, w.width);
        const std::int64_t column_count = columns.end - columns.begin;
        T* at = to + x * lanes;
        if (row_count == 0 || column_count == 0) {
            for (std::int64_t lane = 0; lane < lanes; ++lane) at[lane] = T(0);
            continue;
        }
        const T* from = first_row + (left + columns.begin * w.dilation_width) * lanes;
        for (std::int64_t lane = 0; lane < lanes; lane += step)
            store_some(d,
                       finish(window<Op, 0>(d, from + lane, row_count, row_step, column_count,
                                            column_step, lanes - lane),
                              x),
                       at + lane, lanes - lane);
    }
}

template <class T>
void max_last_of(const T* image, const PoolWindow& w, std::int64_t lanes, std::int64_t y, T* to) {
    const auto same = [](auto v, std::int64_t) { return v; };
    // Blocks of 8 fill half a vector of AVX-512.
    if (sizeof(T) == 4 && lanes == 8)
        pool_last<Largest>(hn::CappedTag<T, 8>(), image, w, lanes, y, to, same);
    else if (sizeof(T) == 1 && lanes >= 8 && lanes < 16)
        pool_last<Largest>(hn::CappedTag<T, 8>(), image, w, lanes, y, to, same);
    else if (sizeof(T) == 1 && lanes >= 16 && lanes < 32)
        pool_last<Largest>(hn::CappedTag<T, 16>(), image, w, lanes, y, to, same);
    else if (sizeof(T) == 1 && lanes >= 32 && lanes < 64)
        pool_last<Largest>(hn::CappedTag<T, 32>(), image, w, lanes, y, to, same);
    else pool_last<Largest>(hn::ScalableTag<T>(), image, w, lanes, y, to, same);
}

void average_last(const float* image, const PoolWindow& w, std::int64_t lanes, std::int64_t y,
                  const float* factors, float row_factor, float* to) {
    const auto run = [&](auto d) {
        pool_last<Total>(d, image, w, lanes, y, to, [&](auto v, std::int64_t x) {
            return hn::Mul(v, hn::Set(d, factors[x] * row_factor));
        });
    };
    if (lanes == 8) run(hn::CappedTag<float, 8>());
    else run(hn::ScalableTag<float>());
}

template <class Op, class D>
HWY_INLINE void join_positions(D d, const float* from, std::int64_t count, std::int64_t lanes,
                               float factor, float* to) {
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t lane = 0; lane < lanes; lane += step) {
        const std::int64_t available = lanes - lane;
        const float* p = from + lane;
        auto a = Op::start(load_some(d, p, available));
        std::int64_t i = 1;
        if (count >= 4 && available >= step) {
            auto b = Op::start(hn::LoadU(d, p + lanes)), c = Op::start(hn::LoadU(d, p + 2 * lanes)),
                 e = Op::start(hn::LoadU(d, p + 3 * lanes));
            for (i = 4; i + 4 <= count; i += 4) {
                a = Op::join(a, hn::LoadU(d, p + i * lanes));
                b = Op::join(b, hn::LoadU(d, p + (i + 1) * lanes));
                c = Op::join(c, hn::LoadU(d, p + (i + 2) * lanes));
                e = Op::join(e, hn::LoadU(d, p + (i + 3) * lanes));
            }
            a = Op::join(Op::join(a, b), Op::join(c, e));
        }
        for (; i < count; ++i) a = Op::join(a, load_some(d, p + i * lanes, available));
        store_some(d, hn::Mul(a, hn::Set(d, factor)), to + lane, available);
    }
}

template <class Op>
void positions(const float* from, std::int64_t count, std::int64_t lanes, float factor, float* to) {
    if (lanes == 8) join_positions<Op>(hn::CappedTag<float, 8>(), from, count, lanes, factor, to);
    else join_positions<Op>(hn::ScalableTag<float>(), from, count, lanes, factor, to);
}

void sum_positions(const float* from, std::int64_t count, std::int64_t lanes, float factor,
                   float* to) {
    if (count > 0) return positions<Total>(from, count, lanes, factor, to);
    for (std::int64_t i = 0; i < lanes; ++i) to[i] = 0;
}
void max_positions(const float* from, std::int64_t count, std::int64_t lanes, float* to) {
    positions<LargestOrNan>(from, count, lanes, 1, to);
}

template <class Op, class Reduce>
HWY_INLINE float join_row(const float* from, std::int64_t count, const Reduce& reduce) {
    const hn::ScalableTag<float> d;
    const auto step = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    float result;
    if (count >= 4 * step) {
        auto a = Op::start(hn::LoadU(d, from)), b = Op::start(hn::LoadU(d, from + step));
        auto c = Op::start(hn::LoadU(d, from + 2 * step)),
             e = Op::start(hn::LoadU(d, from + 3 * step));
        for (i = 4 * step; i + 4 * step <= count; i += 4 * step) {
            a = Op::join(a, hn::LoadU(d, from + i));
            b = Op::join(b, hn::LoadU(d, from + i + step));
            c = Op::join(c, hn::LoadU(d, from + i + 2 * step));
            e = Op::join(e, hn::LoadU(d, from + i + 3 * step));
        }
        for (; i + step <= count; i += step) a = Op::join(a, hn::LoadU(d, from + i));
        result = hn::GetLane(reduce(d, Op::join(Op::join(a, b), Op::join(c, e))));
    } else {
        result = Op::start(from[i++]);
    }
    for (; i < count; ++i) result = Op::join(result, from[i]);
    return result;
}

float sum_row(const float* from, std::int64_t count) {
    return count == 0
               ? 0.0f
               : join_row<Total>(from, count, [](auto d, auto v) { return hn::SumOfLanes(d, v); });
}
float max_row(const float* from, std::int64_t count) {
    return join_row<LargestOrNan>(from, count, [](auto d, auto v) HWY_ATTR {
        const auto unordered = hn::IsNaN(v);
        return hn::AllFalse(d, unordered) ? hn::MaxOfLanes(d, v) : hn::Set(d, NAN);
    });
}

template <class Op>
void join_rows(const float* from, std::int64_t step, std::int64_t rows, std::int64_t count,
               bool joins, float* to) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        auto v = Op::start(hn::LoadU(d, from + i));
        for (std::int64_t r = 1; r < rows; ++r) v = Op::join(v, hn::LoadU(d, from + r * step + i));
        if (joins) v = Op::join(v, hn::LoadU(d, to + i));
        hn::StoreU(v, d, to + i);
    }
    for (; i < count; ++i) {
        float v = Op::start(from[i]);
        for (std::int64_t r = 1; r < rows; ++r) v = Op::join(v, from[r * step + i]);
        to[i] = joins ? Op::join(v, to[i]) : v;
    }
}

template <class Op, class D>
HWY_INLINE hn::Vec<D> join_taps(D d, const float* from, std::int64_t taps, std::int64_t stride,
                                std::int64_t dilation) {
    if (stride == 1) {
        auto v = Op::start(hn::LoadU(d, from));
        for (std::int64_t tap = 1; tap < taps; ++tap)
            v = Op::join(v, hn::LoadU(d, from + tap * dilation));
        return v;
    }
    // Every other element: tap t is the even or the odd half of two vectors that start at an even
    // distance.
    const auto pick = [&](std::int64_t offset) {
        hn::Vec<D> even, odd;
        hn::LoadInterleaved2(d, from + offset, even, odd);
        return even;
    };
    hn::Vec<D> even, odd;
    hn::LoadInterleaved2(d, from, even, odd);
    auto v = Op::start(even);
    std::int64_t tap = 1;
    if (dilation == 1 && taps > 1) {
        v = Op::join(v, odd);
        tap = 2;
    }
    for (; tap < taps; ++tap) v = Op::join(v, pick(tap * dilation));
    return v;
}

template <class Op, class Finish, class FinishOne>
HWY_INLINE void pool_taps(const float* from, std::int64_t taps, std::int64_t stride,
                          std::int64_t dilation, std::int64_t count, float* to,
                          const Finish& finish, const FinishOne& finish_one) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    if (stride <= 2)
        for (; i < count; i += lanes)
            store_some(d, finish(d, join_taps<Op>(d, from + i * stride, taps, stride, dilation), i),
                       to + i, count - i);
    for (; i < count; ++i) {
        float v = Op::start(from[i * stride]);
        for (std::int64_t tap = 1; tap < taps; ++tap)
            v = Op::join(v, from[i * stride + tap * dilation]);
        to[i] = finish_one(v, i);
    }
}

void max_taps(const float* from, std::int64_t taps, std::int64_t stride, std::int64_t dilation,
              std::int64_t count, float* to) {
    pool_taps<Largest>(
        from, taps, stride, dilation, count, to, [](auto, auto v, std::int64_t) { return v; },
        [](float v, std::int64_t) { return v; });
}

void average_taps(const float* from, std::int64_t taps, std::int64_t stride, std::int64_t dilation,
                  std::int64_t count, const float* factors, float row_factor, float* to) {
    pool_taps<Total>(
        from, taps, stride, dilation, count, to,
        [&](auto d, auto v, std::int64_t i) {
            return hn::Mul(v,
                           hn::Mul(load_some(d, factors + i, count - i), hn::Set(d, row_factor)));
        },
        [&](float v, std::int64_t i) { return v * (factors[i] * row_factor); });
}

}  // namespace

const PoolKernels& pool_kernels() {
    static constexpr PoolKernels table{&max_last_of<float>,
                                       &max_last_of<std::uint8_t>,
                                       &max_last_of<std::int8_t>,
                                       &average_last,
                                       &sum_positions,
                                       &max_positions,
                                       &sum_row,
                                       &max_row,
                                       &join_rows<Largest>,
                                       &join_rows<Total>,
                                       &max_taps,
                                       &average_taps};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
