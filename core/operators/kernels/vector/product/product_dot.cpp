// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/product/product_dot.h"

#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
const D d;
constexpr int group = 4;  // rows of `many`, and at most of `few`, at a time

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void store_sums(V v0, V v1, V v2, V v3, float* to, std::int64_t step) {
    to[0] = hn::GetLane(v0), to[step] = hn::GetLane(v1), to[2 * step] = hn::GetLane(v2),
    to[3 * step] = hn::GetLane(v3);
}
#else
using Quad = hn::FixedTag<float, 4>;
HWY_INLINE hn::Vec<Quad> folded(hn::Vec<Quad> v) { return v; }
#if HWY_MAX_BYTES > 16
/// The sum of the quarters or halves of 128 bits.
template <class W>
HWY_INLINE hn::Vec<Quad> folded(W v) {
    const hn::DFromV<W> whole;
    const hn::Half<decltype(whole)> half;
    return folded(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
}
#endif

/// The sums of the lanes of four vectors.
HWY_INLINE void store_sums(V v0, V v1, V v2, V v3, float* to, std::int64_t step) {
    const Quad quad;
    const auto q0 = folded(v0), q1 = folded(v1), q2 = folded(v2), q3 = folded(v3);
    const auto left = hn::Add(hn::InterleaveLower(quad, q0, q1), hn::InterleaveUpper(quad, q0, q1));
    const auto right =
        hn::Add(hn::InterleaveLower(quad, q2, q3), hn::InterleaveUpper(quad, q2, q3));
    float sums[4];
    hn::StoreU(
        hn::Add(hn::ConcatLowerLower(quad, right, left), hn::ConcatUpperUpper(quad, right, left)),
        quad, sums);
    for (int i = 0; i < 4; ++i) to[i * step] = sums[i];
}
#endif

/// `few` rows against four; two sets of sums where one would leave the multipliers waiting.
template <int few>
void dots_of(const ProductDots& p, const float* left, const float* right, float* to) {
    constexpr int sets = few <= 2 ? 2 : 1;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    V sum[sets][few][group];
#pragma GCC unroll 2
    for (int s = 0; s < sets; ++s)
#pragma GCC unroll 4
        for (int i = 0; i < few; ++i)
#pragma GCC unroll 4
            for (int j = 0; j < group; ++j) sum[s][i][j] = hn::Zero(d);
    std::int64_t k = 0;
    for (; k + sets * lanes <= p.inner; k += sets * lanes) {
#pragma GCC unroll 2
        for (int s = 0; s < sets; ++s) {
            V l[few];
#pragma GCC unroll 4
            for (int i = 0; i < few; ++i)
                l[i] = hn::LoadU(d, left + i * p.few_stride + k + s * lanes);
#pragma GCC unroll 4
            for (int j = 0; j < group; ++j) {
                const V r = hn::LoadU(d, right + j * p.many_stride + k + s * lanes);
#pragma GCC unroll 4
                for (int i = 0; i < few; ++i) sum[s][i][j] = hn::MulAdd(l[i], r, sum[s][i][j]);
            }
        }
#pragma GCC unroll 4
        for (int j = 0; j < group; ++j)
            __builtin_prefetch(right + j * p.many_stride + k + 256, 0, 3);
    }
    for (; k < p.inner; k += lanes) {
        const std::int64_t count = p.inner - k < lanes ? p.inner - k : lanes;
        V l[few];
#pragma GCC unroll 4
        for (int i = 0; i < few; ++i) l[i] = load_first(d, left + i * p.few_stride + k, count);
#pragma GCC unroll 4
        for (int j = 0; j < group; ++j) {
            const V r = load_first(d, right + j * p.many_stride + k, count);
#pragma GCC unroll 4
            for (int i = 0; i < few; ++i) sum[0][i][j] = hn::MulAdd(l[i], r, sum[0][i][j]);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < few; ++i) {
        if (sets == 2)
#pragma GCC unroll 4
            for (int j = 0; j < group; ++j)
                sum[0][i][j] = hn::Add(sum[0][i][j], sum[sets - 1][i][j]);
        store_sums(sum[0][i][0], sum[0][i][1], sum[0][i][2], sum[0][i][3], to + i * p.to_few,
                   p.to_many);
    }
}

void dots_of_group(const ProductDots& p, std::int64_t few, const float* left, const float* right,
                   float* to) {
    switch (few) {
    case 1: return dots_of<1>(p, left, right, to);
    case 2: return dots_of<2>(p, left, right, to);
    case 3: return dots_of<3>(p, left, right, to);
    default: return dots_of<4>(p, left, right, to);
    }
}

void dots(const ProductDots& p) {
    for (std::int64_t j = 0; j < p.many_count; j += group) {
        const std::int64_t count = p.many_count - j < group ? p.many_count - j : group;
        for (std::int64_t i = 0; i < p.few_count; i += group) {
            const std::int64_t few = p.few_count - i < group ? p.few_count - i : group;
            const float *left = p.few + i * p.few_stride, *right = p.many + j * p.many_stride;
            float* to = p.to + i * p.to_few + j * p.to_many;
            if (count == group) {
                dots_of_group(p, few, left, right, to);
                continue;
            }
            for (std::int64_t n = 0; n < count; ++n) {  // one row stands for four
                float sums[group * group];
                ProductDots one = p;
                one.many_stride = 0;
                one.to_few = group;
                one.to_many = 1;
                dots_of_group(one, few, left, right + n * p.many_stride, sums);
                for (std::int64_t f = 0; f < few; ++f)
                    to[f * p.to_few + n * p.to_many] = sums[f * group];
            }
        }
    }
}

}  // namespace

const ProductDotKernels& product_dot_kernels() {
    static constexpr ProductDotKernels table{&dots};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
