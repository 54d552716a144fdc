// SPDX-License-Identifier: Apache-2.0
// A row of floats is summed a vector of doubles at a time: sums within it by doubling distances, then what came before is
// added, so that only one addition per vector waits for the one before.
#include "kernels/vector/cumulative_sum.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// What sums are kept in.
template <typename T> struct Sum { using type = T; };
template <> struct Sum<float> { using type = double; };
template <> struct Sum<std::int32_t> { using type = std::uint32_t; };
template <> struct Sum<std::int64_t> { using type = std::uint64_t; };
template <typename T> using D = hn::ScalableTag<typename Sum<T>::type>;
template <typename T> using V = hn::Vec<D<T>>;

template <typename T>
HWY_INLINE V<T> load(const T* x) {
    const D<T> d;
    if constexpr (sizeof(T) == sizeof(typename Sum<T>::type)) return hn::LoadU(d, reinterpret_cast<const typename Sum<T>::type*>(x));
    else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D<T>>(), x));
}

template <typename T>
HWY_INLINE void store(V<T> v, T* y) {
    const D<T> d;
    if constexpr (sizeof(T) == sizeof(typename Sum<T>::type)) hn::StoreU(v, d, reinterpret_cast<typename Sum<T>::type*>(y));
    else {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128  // whose DemoteTo makes infinities finite
        typename Sum<T>::type parts[HWY_MAX_BYTES / sizeof(typename Sum<T>::type)];
        hn::StoreU(v, d, parts);
        for (std::size_t i = 0; i < hn::Lanes(d); ++i) y[i] = static_cast<T>(parts[i]);
#else
        const hn::Rebind<T, D<T>> narrow;
        hn::StoreU(hn::DemoteTo(narrow, v), narrow, y);
#endif
    }
}

/// The rest of a row, element by element.
template <typename T>
void finish_row(const T* x, std::int64_t count, std::int64_t done, typename Sum<T>::type total, CumulativeSumOptions options, T* y) {
    for (std::int64_t i = done; i < count; ++i) {
        const std::int64_t at = options.is_reverse ? count - 1 - i : i;
        const auto next = total + static_cast<typename Sum<T>::type>(x[at]);
        y[at] = static_cast<T>(options.is_exclusive ? total : next);
        total = next;
    }
}

template <typename T>
void integer_row(const T* x, std::int64_t count, CumulativeSumOptions options, T* y) {
    finish_row<T>(x, count, 0, 0, options, y);
}

void float_row(const float* x, std::int64_t count, CumulativeSumOptions options, float* y) {
    std::int64_t done = 0;
    double total = 0;
#if HWY_TARGET != HWY_SCALAR
    const D<float> d;
    constexpr int most = HWY_MAX_BYTES / 8;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    // Lane i takes lane i - distance, or nothing where there is none.
    std::uint64_t places[4][most];
    double kept[4][most];
    int steps = 0;
    for (std::int64_t distance = 1; distance < lanes; distance *= 2, ++steps)
        for (std::int64_t i = 0; i < lanes; ++i) {
            places[steps][i] = static_cast<std::uint64_t>(i < distance ? i : i - distance);
            kept[steps][i] = i < distance ? 0 : 1;
        }
    const auto moved = [&](V<float> v, int step) HWY_ATTR {
        const auto from = hn::TableLookupLanes(v, hn::SetTableIndices(d, places[step]));
        return hn::IfThenElseZero(hn::Ne(hn::LoadU(d, kept[step]), hn::Zero(d)), from);
    };
    for (; done + lanes <= count; done += lanes) {
        const std::int64_t at = options.is_reverse ? count - done - lanes : done;
        V<float> sums = load(x + at);
        if (options.is_reverse) sums = hn::Reverse(d, sums);
        for (int step = 0; step < steps; ++step) sums = hn::Add(sums, moved(sums, step));
        const V<float> before = hn::Set(d, total);
        double parts[most];
        hn::StoreU(sums, d, parts);
        total += parts[lanes - 1];
        V<float> result = hn::Add(before, options.is_exclusive ? moved(sums, 0) : sums);
        if (options.is_reverse) result = hn::Reverse(d, result);
        store(result, y + at);
    }
#endif
    finish_row<float>(x, count, done, total, options, y);
}

/// Columns [0, vectors * lanes) in registers: sums kept in memory would wait for stores to rows 4 KB apart.
template <typename T, int vectors>
HWY_INLINE void columns_of(const T* x, std::int64_t step, std::int64_t rows, bool is_exclusive, T* y) {
    const D<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V<T> total[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) total[v] = hn::Zero(d);
    for (std::int64_t r = 0; r < rows; ++r, x += step, y += step)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            const V<T> next = hn::Add(total[v], load(x + v * lanes));
            store(is_exclusive ? total[v] : next, y + v * lanes);
            total[v] = next;
        }
}

/// Floats are added up in float over 16 rows at a time, which go into the double sums then: twice the columns per vector.
template <int vectors>
HWY_INLINE void float_columns_of(const float* x, std::int64_t step, std::int64_t rows, bool is_exclusive, float* y) {
    constexpr std::int64_t block = 16;
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    constexpr auto most = static_cast<std::size_t>(vectors * hn::MaxLanes(d));
    double totals[most] = {};
    float starts[most] = {}, parts[most];
    for (std::int64_t first = 0; first < rows; first += block) {
        hn::Vec<decltype(d)> start[vectors], part[vectors];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) {
            start[v] = hn::LoadU(d, starts + v * lanes);
            part[v] = hn::Zero(d);
        }
        for (std::int64_t r = first; r < rows && r < first + block; ++r, x += step, y += step)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v) {
                const auto next = hn::Add(part[v], hn::LoadU(d, x + v * lanes));
                hn::StoreU(hn::Add(start[v], is_exclusive ? part[v] : next), d, y + v * lanes);
                part[v] = next;
            }
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) hn::StoreU(part[v], d, parts + v * lanes);
        for (std::int64_t i = 0; i < vectors * lanes; ++i) {
            totals[i] += static_cast<double>(parts[i]);
            starts[i] = static_cast<float>(totals[i]);
        }
    }
}

template <typename T>
void column(const T* x, std::int64_t stride, std::int64_t rows, std::int64_t columns, CumulativeSumOptions options, T* y) {
    constexpr int group = 8;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D<T>()));
    const std::int64_t first = options.is_reverse ? (rows - 1) * stride : 0, step = options.is_reverse ? -stride : stride;
    std::int64_t c = 0;
    if constexpr (sizeof(T) != sizeof(typename Sum<T>::type)) {
        constexpr std::int64_t wide = 4 * hn::MaxLanes(hn::ScalableTag<T>());
        for (; c + wide <= columns; c += wide) float_columns_of<4>(x + first + c, step, rows, options.is_exclusive, y + first + c);
    }
    for (; c + group * lanes <= columns; c += group * lanes) columns_of<T, group>(x + first + c, step, rows, options.is_exclusive, y + first + c);
    for (; c + lanes <= columns; c += lanes) columns_of<T, 1>(x + first + c, step, rows, options.is_exclusive, y + first + c);
    for (; c < columns; ++c) {
        typename Sum<T>::type total = 0;
        for (std::int64_t r = 0, at = first + c; r < rows; ++r, at += step) {
            const auto next = total + static_cast<typename Sum<T>::type>(x[at]);
            y[at] = static_cast<T>(options.is_exclusive ? total : next);
            total = next;
        }
    }
}

}  // namespace

const CumulativeSumKernels& cumulative_sum_kernels() {
    static constexpr CumulativeSumKernels table{{&float_row, &column<float>}, {&integer_row<std::int32_t>, &column<std::int32_t>}, {&integer_row<std::int64_t>, &column<std::int64_t>}};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
