// SPDX-License-Identifier: Apache-2.0
#include <hwy/highway.h>

#include "kernels/vector/peak.h"

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

// Accumulators, one line of weights and one broadcast value fill the registers: 8 x 3 of 32, or 4 x
// 3 of 16.
using Tag = hn::CappedTag<float, 16>;
constexpr int rows = HWY_MAX_BYTES >= 64 ? 8 : 4, columns = 3, depth = 64;

std::int64_t float_product(float* workspace, std::int64_t repeats) {
    const Tag d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    float* const a = workspace;
    float* const out = a + rows * depth;
    const float* const w = workspace + 2 * 8 * 64;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        hn::Vec<Tag> sums[rows][columns];
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 3
            for (int c = 0; c < columns; ++c) sums[r][c] = hn::Zero(d);
        for (int k = 0; k < depth; ++k) {
            hn::Vec<Tag> weights[columns];
#pragma GCC unroll 3
            for (int c = 0; c < columns; ++c)
                weights[c] = hn::LoadU(d, w + k * columns * lanes + c * lanes);
#pragma GCC unroll 8
            for (int r = 0; r < rows; ++r) {
                const auto value = hn::Set(d, a[r * depth + k]);
#pragma GCC unroll 3
                for (int c = 0; c < columns; ++c)
                    sums[r][c] = hn::MulAdd(value, weights[c], sums[r][c]);
            }
        }
        auto total = hn::Zero(d);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 3
            for (int c = 0; c < columns; ++c) total = hn::Add(total, sums[r][c]);
        hn::StoreU(total, d, out);
        asm volatile("" : : "r"(out) : "memory");
    }
    return repeats * 2 * rows * columns * lanes * depth;
}

float sum(const float* from, std::int64_t count) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    std::int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        s0 = hn::Add(s0, hn::LoadU(d, from + i));
        s1 = hn::Add(s1, hn::LoadU(d, from + i + lanes));
        s2 = hn::Add(s2, hn::LoadU(d, from + i + 2 * lanes));
        s3 = hn::Add(s3, hn::LoadU(d, from + i + 3 * lanes));
    }
    float total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
    for (; i < count; ++i) total += from[i];
    return total;
}

}  // namespace

const PeakKernels& peak_kernels() {
    static constexpr PeakKernels table{&float_product, &sum};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
