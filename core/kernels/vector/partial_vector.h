// SPDX-License-Identifier: Apache-2.0
// The first elements of a vector in memory; for files of kernels/vector only (see isa.h).
#pragma once

#include <hwy/highway.h>

#include <cstdint>

namespace lapidary::LAPIDARY_ISA {
namespace hn = hwy::HWY_NAMESPACE;

/// `count` floats, zeros behind them; the memory behind them is not touched.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V load_some(D d, const float* from, std::int64_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT
    float some[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t i = 0; i < count; ++i) some[i] = from[i];
    return hn::LoadU(d, some);
#else
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
#endif
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void store_some(D d, V v, float* to, std::int64_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT
    float some[HWY_MAX_BYTES / sizeof(float)];
    hn::StoreU(v, d, some);
    for (std::int64_t i = 0; i < count; ++i) to[i] = some[i];
#else
    hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
#endif
}

}  // namespace lapidary::LAPIDARY_ISA
