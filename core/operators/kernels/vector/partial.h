// SPDX-License-Identifier: Apache-2.0
// Loads and stores of the first lanes of a vector, for files of kernels/vector only. No byte beyond
// them is touched.
#pragma once

#include <hwy/highway.h>

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;

/// `count` elements in [0, lanes); the other lanes are zero.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_first(D d, const T* from, long long count) {
#if HWY_TARGET <= HWY_AVX2
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
#else
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)] = {};
    for (long long i = 0; i < count; ++i) lanes[i] = from[i];
    return hn::Load(d, lanes);
#endif
}

template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store_first(D d, hn::Vec<D> v, T* to, long long count) {
#if HWY_TARGET <= HWY_AVX2
    hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#else
    HWY_ALIGN T lanes[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(v, d, lanes);
    for (long long i = 0; i < count; ++i) to[i] = lanes[i];
#endif
}

}  // namespace lapidary::LAPIDARY_ISA
