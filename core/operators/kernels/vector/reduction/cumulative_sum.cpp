// SPDX-License-Identifier: Apache-2.0
// A row of floats is summed a vector of doubles at a time: sums within it by doubling distances,
// then what came before is added, so that only one addition per vector waits for the one before.
#include "kernels/vector/reduction/cumulative_sum.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The type in which sums are accumulated.
template <typename T>
struct Sum {
    using type = T;
};
template <>
struct Sum<float> {
    using type = double;
};
template <>
struct Sum<std::int32_t> {
    using type = std::uint32_t;
};
template <>
struct Sum<std::int64_t> {
    using type = std::uint64_t;
};
template <typename T>
using D = hn::ScalableTag<typename Sum<T>::type>;
template <typename T>
using V = hn::Vec<D<T>>;

template <typename T>
HWY_INLINE V<T> load(const T* x) {
    const D<T> d;
    if constexpr (sizeof(T) == sizeof(typename Sum<T>::type))
        return hn::LoadU(d, reinterpret_cast<const typename Sum<T>::type*>(x));
    else return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D<T>>(), x));
}

template <typename T>
HWY_INLINE void store(V<T> v, T* y) {
    const D<T> d;
    if constexpr (sizeof(T) == sizeof(typename Sum<T>::type))
        hn::StoreU(v, d, reinterpret_cast<typename Sum<T>::type*>(y));
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
void finish_row(const T* x, std::int64_t count, std::int64_t done, typename Sum<T>::type total,
                CumulativeSumOptions options, T* y) {
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

/// `rows` rows of whole vectors of columns that have a sum in `totals` each.
template <int rows, bool is_exclusive, typename T>
HWY_INLINE void add_to_totals(const T* x, std::int64_t step, std::int64_t columns,
                              typename Sum<T>::type* totals, T* y) {
    const D<T> d;
    for (std::int64_t c = 0; c < columns; c += static_cast<std::int64_t>(hn::Lanes(d))) {
        V<T> value[rows], total = hn::LoadU(d, totals + c);
        // All loads come first: a load after a store to the same page offset would wait for the
        // store.
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) value[r] = load(x + r * step + c);
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) {
            if constexpr (is_exclusive) store(total, y + r * step + c);
            total = hn::Add(total, value[r]);
            if constexpr (!is_exclusive) store(total, y + r * step + c);
        }
        hn::StoreU(total, d, totals + c);
    }
}

/// Columns [0, columns), whole vectors, a few rows at a time from end to end: asks least of caches
/// that do not hold the whole tile.
template <bool is_exclusive, typename T>
void far_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t columns,
                 typename Sum<T>::type* totals, T* y) {
    constexpr int together = 4;
    for (std::int64_t i = 0; i < columns; ++i) totals[i] = 0;
    std::int64_t r = 0;
    for (; r + together <= rows; r += together)
        add_to_totals<together, is_exclusive>(x + r * step, step, columns, totals, y + r * step);
    for (; r < rows; ++r)
        add_to_totals<1, is_exclusive>(x + r * step, step, columns, totals, y + r * step);
}

/// `rows` rows go into `parts`, a sum per column, and `starts` plus each sum on the way into y.
template <int rows, bool is_exclusive>
HWY_INLINE void add_rows(const float* x, std::int64_t step, std::int64_t columns,
                         const float* starts, float* parts, float* y) {
    const hn::ScalableTag<float> d;
    for (std::int64_t c = 0; c < columns; c += static_cast<std::int64_t>(hn::Lanes(d))) {
        hn::Vec<decltype(d)> value[rows], part = hn::LoadU(d, parts + c);
        const auto start = hn::LoadU(d, starts + c);
        // All loads come first: one after a store to the same place of another page would wait for
        // it.
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) value[r] = hn::LoadU(d, x + r * step + c);
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) {
            if constexpr (is_exclusive) hn::StoreU(hn::Add(start, part), d, y + r * step + c);
            part = hn::Add(part, value[r]);
            if constexpr (!is_exclusive) hn::StoreU(hn::Add(start, part), d, y + r * step + c);
        }
        hn::StoreU(part, d, parts + c);
    }
}

/// The same for floats: adds 16 rows at a time in float, then adds those to sums in double, so that
/// a vector holds twice as many columns.
constexpr std::int64_t strip = 1024;  // columns, at most

template <bool is_exclusive>
void near_columns(const float* x, std::int64_t step, std::int64_t rows, std::int64_t columns,
                  float* y) {
    constexpr std::int64_t block = 16;
    const D<float> d;
    HWY_ALIGN float parts[strip], starts[strip];
    HWY_ALIGN double totals[strip];
    for (std::int64_t i = 0; i < columns; ++i) parts[i] = 0, starts[i] = 0, totals[i] = 0;
    for (std::int64_t first = 0; first < rows;
         first += block, x += block * step, y += block * step) {
        std::int64_t r = 0;
        const std::int64_t end = rows - first < block ? rows - first : block;
        for (; r + 4 <= end; r += 4)
            add_rows<4, is_exclusive>(x + r * step, step, columns, starts, parts, y + r * step);
        for (; r < end; ++r)
            add_rows<1, is_exclusive>(x + r * step, step, columns, starts, parts, y + r * step);
        for (std::int64_t i = 0; i < columns; i += static_cast<std::int64_t>(hn::Lanes(d))) {
            const V<float> total = hn::Add(hn::LoadU(d, totals + i), load(parts + i));
            hn::StoreU(total, d, totals + i);
            store(total, starts + i);
        }
        for (std::int64_t i = 0; i < columns; ++i) parts[i] = 0;
    }
}

template <bool is_exclusive, typename T>
void whole_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t columns,
                   void* totals, T* y) {
    constexpr std::int64_t near_bytes = 512 << 10;
    if constexpr (sizeof(T) != sizeof(typename Sum<T>::type))
        if (rows * columns * 2 * static_cast<std::int64_t>(sizeof(T)) <= near_bytes) {
            for (std::int64_t c = 0; c < columns; c += strip)
                near_columns<is_exclusive>(x + c, step, rows,
                                           columns - c < strip ? columns - c : strip, y + c);
            return;
        }
    far_columns<is_exclusive>(x, step, rows, columns, static_cast<typename Sum<T>::type*>(totals),
                              y);
}

template <typename T>
void column(const T* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
            CumulativeSumOptions options, void* totals, T* y) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
    const std::int64_t first = options.is_reverse ? (rows - 1) * stride : 0,
                       step = options.is_reverse ? -stride : stride,
                       whole = columns / lanes * lanes;
    if (options.is_exclusive) whole_columns<true>(x + first, step, rows, whole, totals, y + first);
    else whole_columns<false>(x + first, step, rows, whole, totals, y + first);
    for (std::int64_t c = whole; c < columns; ++c) {
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
    static constexpr CumulativeSumKernels table{
        {&float_row, &column<float>},
        {&integer_row<std::int32_t>, &column<std::int32_t>},
        {&integer_row<std::int64_t>, &column<std::int64_t>}};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
