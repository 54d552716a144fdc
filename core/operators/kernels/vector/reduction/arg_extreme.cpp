// SPDX-License-Identifier: Apache-2.0
// A row is looked through in blocks: the extreme of each by vectors, its place in the best block
// afterwards. Columns keep value and place in lanes. 8-bit elements are widened to 32 bits.
#include "kernels/vector/reduction/arg_extreme.h"

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
struct Lane {
    using type = T;
};
template <>
struct Lane<std::uint8_t> {
    using type = std::int32_t;
};
template <>
struct Lane<std::int8_t> {
    using type = std::int32_t;
};
template <typename T>
using D = hn::ScalableTag<typename Lane<T>::type>;
template <typename T>
using V = hn::Vec<D<T>>;
template <typename T>
constexpr bool is_real = false;
template <>
constexpr bool is_real<float> = true;

template <typename T>
HWY_INLINE V<T> load(const T* x) {
    const D<T> d;
    if constexpr (sizeof(T) == 1) return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D<T>>(), x));
    else return hn::LoadU(d, x);
}

template <bool largest, bool last, typename T>
HWY_INLINE bool is_better(T value, T best) {
    return largest ? (last ? value >= best : value > best) : last ? value <= best : value < best;
}

template <typename T, bool largest>
HWY_INLINE V<T> extreme(V<T> a, V<T> b) {
    return largest ? hn::Max(a, b) : hn::Min(a, b);
}

/// The extreme of `count` elements, at least one; has_nan: of some that are no numbers.
template <typename T, bool largest>
HWY_INLINE T block_extreme(const T* x, std::int64_t count, bool& has_nan) {
    const D<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    T best = x[0];
    std::int64_t i = 0;
    if (count >= lanes) {
        V<T> s0 = hn::Set(d, x[0]), s1 = s0;
        auto unordered = hn::Lt(s0, s0);
        const auto step = [&](V<T>& s, V<T> v) HWY_ATTR {
            s = extreme<T, largest>(s, v);
            if constexpr (is_real<T>) unordered = hn::Or(unordered, hn::IsNaN(v));
        };
        for (; i + 2 * lanes <= count; i += 2 * lanes) {
            step(s0, load(x + i));
            step(s1, load(x + i + lanes));
        }
        for (; i + lanes <= count; i += lanes) step(s0, load(x + i));
        if (is_real<T> && !hn::AllFalse(d, unordered)) has_nan = true;
        typename Lane<T>::type parts[HWY_MAX_BYTES / sizeof(typename Lane<T>::type)];
        hn::StoreU(extreme<T, largest>(s0, s1), d, parts);
        for (std::int64_t j = 0; j < lanes; ++j)
            if (is_better<largest, false>(static_cast<T>(parts[j]), best))
                best = static_cast<T>(parts[j]);
    }
    for (; i < count; ++i) {
        if (is_real<T> && x[i] != x[i]) has_nan = true;
        if (is_better<largest, false>(x[i], best)) best = x[i];
    }
    return best;
}

/// The first or last place of `wanted` in [begin, end), where it is.
template <bool last, typename T>
HWY_INLINE std::int64_t place_of(const T* x, std::int64_t begin, std::int64_t end, T wanted) {
    const D<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const V<T> all = hn::Set(d, wanted);
    if constexpr (last) {
        while (end - lanes >= begin && hn::AllFalse(d, hn::Eq(load(x + end - lanes), all)))
            end -= lanes;
        while (x[end - 1] != wanted) --end;
        return end - 1;
    } else {
        while (begin + lanes <= end && hn::AllFalse(d, hn::Eq(load(x + begin), all)))
            begin += lanes;
        while (x[begin] != wanted) ++begin;
        return begin;
    }
}

template <typename T, bool largest, bool last>
std::int64_t row(const void* from, std::int64_t count) {
    constexpr std::int64_t block = 1024;
    const auto* x = static_cast<const T*>(from);
    T best = x[0];
    std::int64_t best_begin = 0, best_end = count < block ? count : block;
    for (std::int64_t begin = 0; begin < count; begin += block) {
        const std::int64_t end = count - begin < block ? count : begin + block;
        bool has_nan = false;
        const T value = block_extreme<T, largest>(x + begin, end - begin, has_nan);
        if (has_nan) {
            std::int64_t i = begin;
            while (x[i] == x[i]) ++i;
            return i;
        }
        if (begin == 0 || is_better<largest, last>(value, best)) {
            best = value;
            best_begin = begin;
            best_end = end;
        }
    }
    return place_of<last>(x, best_begin, best_end, best);
}

template <typename T, bool largest, bool last>
void column(const void* from, std::int64_t stride, std::int64_t rows, std::int64_t columns,
            std::int64_t* out) {
    const auto* x = static_cast<const T*>(from);
    const D<T> d;
    const hn::RebindToSigned<D<T>> di;
    using Index = hn::TFromD<decltype(di)>;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto step = [&](V<T>& best, hn::Vec<decltype(di)>& at, const T* place,
                          std::int64_t row) HWY_ATTR {
        const V<T> value = load(place);
        const V<T>& winner = largest ? value : best;
        const V<T>& loser = largest ? best : value;
        auto takes = hn::Gt(winner, loser);
        if constexpr (last) takes = hn::Or(takes, hn::Eq(value, best));
        if constexpr (is_real<T>)
            takes = hn::Or(takes, hn::AndNot(hn::IsNaN(best), hn::IsNaN(value)));
        best = hn::IfThenElse(takes, value, best);
        at = hn::IfThenElse(hn::RebindMask(di, takes), hn::Set(di, static_cast<Index>(row)), at);
    };
    std::int64_t c = 0;
    Index places[2 * HWY_MAX_BYTES / sizeof(Index)];
    for (; c + 2 * lanes <= columns; c += 2 * lanes) {
        V<T> best0 = load(x + c), best1 = load(x + c + lanes);
        auto at0 = hn::Zero(di), at1 = at0;
        for (std::int64_t r = 1; r < rows; ++r) {
            step(best0, at0, x + r * stride + c, r);
            step(best1, at1, x + r * stride + c + lanes, r);
        }
        hn::StoreU(at0, di, places);
        hn::StoreU(at1, di, places + lanes);
        for (std::int64_t j = 0; j < 2 * lanes; ++j) out[c + j] = places[j];
    }
    for (; c + lanes <= columns; c += lanes) {
        V<T> best = load(x + c);
        auto at = hn::Zero(di);
        for (std::int64_t r = 1; r < rows; ++r) step(best, at, x + r * stride + c, r);
        hn::StoreU(at, di, places);
        for (std::int64_t j = 0; j < lanes; ++j) out[c + j] = places[j];
    }
    for (; c < columns; ++c) {
        T best = x[c];
        std::int64_t at = 0;
        for (std::int64_t r = 1; r < rows && best == best; ++r) {
            const T value = x[r * stride + c];
            if (!is_better<largest, last>(value, best) && value == value) continue;
            best = value;
            at = r;
        }
        out[c] = at;
    }
}

#define LAPIDARY_CHOICES(T)                                    \
    {                                                          \
        {&row<T, false, false>, &column<T, false, false>},     \
            {&row<T, false, true>, &column<T, false, true>},   \
            {&row<T, true, false>, &column<T, true, false>}, { \
            &row<T, true, true>, &column<T, true, true>        \
        }                                                      \
    }

constexpr ArgExtremeKernels table{{LAPIDARY_CHOICES(float), LAPIDARY_CHOICES(std::int32_t),
                                   LAPIDARY_CHOICES(std::int64_t), LAPIDARY_CHOICES(std::uint8_t),
                                   LAPIDARY_CHOICES(std::int8_t)}};
#undef LAPIDARY_CHOICES

}  // namespace

const ArgExtremeKernels& arg_extreme_kernels() { return table; }

}  // namespace lapidary::LAPIDARY_ISA
