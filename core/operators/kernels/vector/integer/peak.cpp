// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/peak.h"

#if defined(__AVX512VNNI__)
#include <immintrin.h>
#endif

namespace lapidary::LAPIDARY_ISA {
namespace {

#if defined(__AVX512VNNI__)
std::int64_t integer_product(std::int64_t repeats) {
    constexpr int chains = 16;
    __m512i a = _mm512_set1_epi8(1), sums[chains];
    for (int c = 0; c < chains; ++c) sums[c] = _mm512_setzero_si512();
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        asm volatile("" : "+v"(a));
#pragma GCC unroll 16
        for (int c = 0; c < chains; ++c) sums[c] = _mm512_dpbusd_epi32(sums[c], a, a);
    }
    for (int c = 0; c < chains; ++c) asm volatile("" : : "v"(sums[c]));
    return repeats * chains * 64 * 2;
}
#else
std::int64_t integer_product(std::int64_t) { return 0; }
#endif

}  // namespace

const IntegerPeakKernels& integer_peak_kernels() {
    static constexpr IntegerPeakKernels table{&integer_product};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
