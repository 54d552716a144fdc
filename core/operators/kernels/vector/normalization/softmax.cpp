// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/normalization/softmax.h"

#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
const hn::RebindToSigned<decltype(d)> di;
using V = hn::Vec<decltype(d)>;
// rows up to this width are worked on side by side, a row per lane
constexpr std::int64_t narrow = 12;

/// Vector i of a line, of `lanes` elements; the last one may be shorter, with lanes of -infinity
/// behind its end.
HWY_INLINE V load_line(const float* x, std::int64_t left) {
    if (left >= static_cast<std::int64_t>(hn::Lanes(d))) return hn::LoadU(d, x);
    return hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(left)), load_first(d, x, left),
                          hn::Set(d, -HUGE_VALF));
}

/// The larger; `most` where x is NaN.
HWY_INLINE V larger(V x, V most) {
#if HWY_TARGET <= HWY_SSSE3
    return hn::Max(x, most);  // x86 gives the second operand where either is NaN
#else
    return hn::IfThenElse(hn::Gt(x, most), x, most);
#endif
}

void row(const float* x, float* y, std::int64_t width, bool log_wanted) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V m0 = hn::Set(d, -HUGE_VALF), m1 = m0;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= width; i += 2 * lanes) {
        m0 = larger(hn::LoadU(d, x + i), m0);
        m1 = larger(hn::LoadU(d, x + i + lanes), m1);
    }
    for (; i < width; i += lanes) m0 = larger(load_line(x + i, width - i), m0);
    const V most = hn::MaxOfLanes(d, larger(m0, m1));
    V s0 = hn::Zero(d), s1 = s0;
    i = 0;
    if (log_wanted) {
        for (; i + 2 * lanes <= width; i += 2 * lanes) {
            s0 = hn::Add(s0, exp<true>(d, hn::Sub(hn::LoadU(d, x + i), most)));
            s1 = hn::Add(s1, exp<true>(d, hn::Sub(hn::LoadU(d, x + i + lanes), most)));
        }
        for (; i < width; i += lanes)
            s0 = hn::Add(s0, exp<true>(d, hn::Sub(load_line(x + i, width - i), most)));
        // Subtracting the largest first keeps the small differences of large inputs.
        const V total = log(d, hn::SumOfLanes(d, hn::Add(s0, s1)));
        for (i = 0; i + lanes <= width; i += lanes)
            hn::StoreU(hn::Sub(hn::Sub(hn::LoadU(d, x + i), most), total), d, y + i);
        if (i < width)
            store_first(d, hn::Sub(hn::Sub(load_first(d, x + i, width - i), most), total), y + i,
                        width - i);
        return;
    }
    for (; i + 2 * lanes <= width; i += 2 * lanes) {
        const V a = exp<true>(d, hn::Sub(hn::LoadU(d, x + i), most)),
                b = exp<true>(d, hn::Sub(hn::LoadU(d, x + i + lanes), most));
        s0 = hn::Add(s0, a);
        s1 = hn::Add(s1, b);
        hn::StoreU(a, d, y + i);
        hn::StoreU(b, d, y + i + lanes);
    }
    for (; i < width; i += lanes) {
        const V a = exp<true>(d, hn::Sub(load_line(x + i, width - i), most));
        s0 = hn::Add(s0, a);
        if (i + lanes <= width) hn::StoreU(a, d, y + i);
        else store_first(d, a, y + i, width - i);
    }
    const V factor = hn::Div(hn::Set(d, 1.0f), hn::SumOfLanes(d, hn::Add(s0, s1)));
    for (i = 0; i + lanes <= width; i += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(d, y + i), factor), d, y + i);
    if (i < width)
        store_first(d, hn::Mul(load_first(d, y + i, width - i), factor), y + i, width - i);
}

/// As many rows as a vector has lanes.
void narrow_rows(const float* x, float* y, std::int64_t width, bool log_wanted) {
    const auto index = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<std::int32_t>(width)));
    V most = hn::Set(d, -HUGE_VALF), sum = hn::Zero(d);
    for (std::int64_t i = 0; i < width; ++i) most = larger(hn::GatherIndex(d, x + i, index), most);
    // In place, the exponentials wait in y; x is read before its place is written.
    for (std::int64_t i = 0; i < width; ++i) {
        const V shifted = hn::Sub(hn::GatherIndex(d, x + i, index), most),
                e = exp<true>(d, shifted);
        sum = hn::Add(sum, e);
        hn::ScatterIndex(log_wanted ? shifted : e, d, y + i, index);
    }
    const V factor = hn::Div(hn::Set(d, 1.0f), sum), total = log_wanted ? log(d, sum) : sum;
    for (std::int64_t i = 0; i < width; ++i) {
        const V v = hn::GatherIndex(d, y + i, index);
        hn::ScatterIndex(log_wanted ? hn::Sub(v, total) : hn::Mul(v, factor), d, y + i, index);
    }
}

#if HWY_TARGET != HWY_SCALAR
/// Rows of 2 or 4 elements lie side by side in one vector.
template <int width>
HWY_INLINE void short_rows(const float* x, float* y, bool log_wanted) {
    const V v = hn::LoadU(d, x);
    V most = larger(v, hn::Shuffle2301(v));
    if constexpr (width == 4) most = larger(most, hn::Shuffle1032(most));
    const V shifted = hn::Sub(v, most), e = exp<true>(d, shifted);
    V sum = hn::Add(e, hn::Shuffle2301(e));
    if constexpr (width == 4) sum = hn::Add(sum, hn::Shuffle1032(sum));
    hn::StoreU(log_wanted ? hn::Sub(shifted, log(d, sum)) : hn::Div(e, sum), d, y);
}
#endif

void rows(const float* x, float* y, std::int64_t width, bool log_wanted, std::int64_t begin,
          std::int64_t end) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
#if HWY_TARGET != HWY_SCALAR
    if (width == 2)
        for (; (end - begin) * 2 >= lanes; begin += lanes / 2)
            short_rows<2>(x + begin * 2, y + begin * 2, log_wanted);
    if (width == 4)
        for (; (end - begin) * 4 >= lanes; begin += lanes / 4)
            short_rows<4>(x + begin * 4, y + begin * 4, log_wanted);
#endif
    if (lanes > 1 && width <= narrow)
        for (; begin + lanes <= end; begin += lanes)
            narrow_rows(x + begin * width, y + begin * width, width, log_wanted);
    for (; begin < end; ++begin) row(x + begin * width, y + begin * width, width, log_wanted);
}

template <bool partial>
HWY_INLINE void column_vector(const float* x, float* y, std::int64_t length, std::int64_t stride,
                              std::int64_t count, bool log_wanted) {
    const auto load = [&](const float* from) HWY_ATTR {
        return partial ? load_first(d, from, count) : hn::LoadU(d, from);
    };
    const auto store = [&](V v, float* to) HWY_ATTR {
        if constexpr (partial) store_first(d, v, to, count);
        else hn::StoreU(v, d, to);
    };
    V most = hn::Set(d, -HUGE_VALF), sum = hn::Zero(d);
    for (std::int64_t i = 0; i < length; ++i) most = larger(load(x + i * stride), most);
    for (std::int64_t i = 0; i < length; ++i) {
        const V shifted = hn::Sub(load(x + i * stride), most), e = exp<true>(d, shifted);
        sum = hn::Add(sum, e);
        store(log_wanted ? shifted : e, y + i * stride);
    }
    const V factor = hn::Div(hn::Set(d, 1.0f), sum), total = log_wanted ? log(d, sum) : sum;
    for (std::int64_t i = 0; i < length; ++i) {
        const V v = load(y + i * stride);
        store(log_wanted ? hn::Sub(v, total) : hn::Mul(v, factor), y + i * stride);
    }
}

void columns(const float* x, float* y, std::int64_t length, std::int64_t stride, std::int64_t count,
             bool log_wanted) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        column_vector<false>(x + i, y + i, length, stride, lanes, log_wanted);
    if (i < count) column_vector<true>(x + i, y + i, length, stride, count - i, log_wanted);
}

}  // namespace

const SoftmaxKernels& softmax_kernels() {
    static constexpr SoftmaxKernels table{&rows, &columns};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
