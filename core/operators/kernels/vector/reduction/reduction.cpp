// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/reduction/reduction.h"

#include <kernels/vector/math.h>

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;
using V = hn::Vec<decltype(d)>;
using K = ReductionKind;

constexpr bool is_extreme(K kind) { return kind == K::max || kind == K::min; }

template <K kind>
HWY_INLINE V neutral() {
    return hn::Set(d, kind == K::max ? -HUGE_VALF : kind == K::min ? HUGE_VALF : 0.0f);
}

template <K kind>
HWY_INLINE V step(V state, V x) {
    if constexpr (kind == K::sum) return hn::Add(state, x);
    else if constexpr (kind == K::magnitudes) return hn::Add(state, hn::Abs(x));
    else if constexpr (kind == K::squares) return hn::MulAdd(x, x, state);
    else if constexpr (kind == K::max)
        return hn::IfThenElse(hn::Or(hn::Gt(state, x), hn::IsNaN(state)), state, x);
    else return hn::IfThenElse(hn::Or(hn::Lt(state, x), hn::IsNaN(state)), state, x);
}

template <K kind>
HWY_INLINE V merge(V a, V b) {
    return is_extreme(kind) ? step<kind>(a, b) : hn::Add(a, b);
}

/// The lanes in ascending order.
template <K kind>
HWY_INLINE double gathered(V state) {
    float lanes[HWY_MAX_BYTES / sizeof(float)];
    hn::StoreU(state, d, lanes);
    const int count = static_cast<int>(hn::Lanes(d));
    double total = static_cast<double>(lanes[0]);
    for (int i = 1; i < count; ++i) {
        const auto x = static_cast<double>(lanes[i]);
        if constexpr (kind == K::max) total = total > x || total != total ? total : x;
        else if constexpr (kind == K::min) total = total < x || total != total ? total : x;
        else total += x;
    }
    return total;
}

template <K kind>
double row(const float* x, std::int64_t count) {
    constexpr std::int64_t block = 1024;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    double total = kind == K::max ? -HUGE_VAL : kind == K::min ? HUGE_VAL : 0;
    for (std::int64_t begin = 0; begin < count; begin += block) {
        const std::int64_t n = count - begin < block ? count - begin : block;
        const float* p = x + begin;
        V s0 = neutral<kind>(), s1 = s0, s2 = s0, s3 = s0;
        std::int64_t i = 0;
        for (; i + 4 * lanes <= n; i += 4 * lanes) {
            s0 = step<kind>(s0, hn::LoadU(d, p + i));
            s1 = step<kind>(s1, hn::LoadU(d, p + i + lanes));
            s2 = step<kind>(s2, hn::LoadU(d, p + i + 2 * lanes));
            s3 = step<kind>(s3, hn::LoadU(d, p + i + 3 * lanes));
        }
        for (; i + lanes <= n; i += lanes) s0 = step<kind>(s0, hn::LoadU(d, p + i));
        if (i < n) {
            V tail = load_first(d, p + i, n - i);
            if constexpr (is_extreme(kind))
                tail = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(n - i)), tail,
                                      neutral<kind>());
            s1 = step<kind>(s1, tail);
        }
        const double part = gathered<kind>(merge<kind>(merge<kind>(s0, s1), merge<kind>(s2, s3)));
        if constexpr (kind == K::max) total = total > part || total != total ? total : part;
        else if constexpr (kind == K::min) total = total < part || total != total ? total : part;
        else total += part;
    }
    return total;
}

template <K kind>
void column(const float* x, std::int64_t stride, std::int64_t rows, std::int64_t columns,
            double* out) {
    constexpr std::int64_t block = 256;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t c = 0; c < columns; c += lanes) {
        const std::int64_t left = columns - c < lanes ? columns - c : lanes;
        for (std::int64_t j = 0; j < left; ++j)
            out[c + j] = kind == K::max ? -HUGE_VAL : kind == K::min ? HUGE_VAL : 0;
        for (std::int64_t begin = 0; begin < rows; begin += block) {
            const std::int64_t n = rows - begin < block ? rows - begin : block;
            const float* p = x + begin * stride + c;
            V s0 = neutral<kind>(), s1 = s0;
            std::int64_t i = 0;
            if (left == lanes) {
                for (; i + 2 <= n; i += 2) {
                    s0 = step<kind>(s0, hn::LoadU(d, p + i * stride));
                    s1 = step<kind>(s1, hn::LoadU(d, p + (i + 1) * stride));
                }
                if (i < n) s0 = step<kind>(s0, hn::LoadU(d, p + i * stride));
            } else {
                for (; i < n; ++i) s0 = step<kind>(s0, load_first(d, p + i * stride, left));
            }
            float parts[HWY_MAX_BYTES / sizeof(float)];
            hn::StoreU(merge<kind>(s0, s1), d, parts);
            for (std::int64_t j = 0; j < left; ++j) {
                const auto part = static_cast<double>(parts[j]);
                double& total = out[c + j];
                if constexpr (kind == K::max) total = total > part || total != total ? total : part;
                else if constexpr (kind == K::min)
                    total = total < part || total != total ? total : part;
                else total += part;
            }
        }
    }
}

constexpr ReductionKernels table{
    {&row<K::sum>, &row<K::magnitudes>, &row<K::squares>, &row<K::max>, &row<K::min>},
    {&column<K::sum>, &column<K::magnitudes>, &column<K::squares>, &column<K::max>,
     &column<K::min>}};

}  // namespace

const ReductionKernels& reduction_kernels() { return table; }

}  // namespace lapidary::LAPIDARY_ISA
