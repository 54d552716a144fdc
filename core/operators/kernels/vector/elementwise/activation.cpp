// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/elementwise/activation.h"

#include "kernels/vector/math.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;

/// The loop is compiled once per kind, so that nothing is decided per vector.
template <ActivationKind kind>
void apply_kind(const float* from, float* to, std::int64_t count, Activation a) {
    a.kind = kind;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(activate(d, hn::LoadU(d, from + i), a), d, to + i);
    if (i == count) return;
    float tail[HWY_MAX_BYTES / sizeof(float)] = {};
    for (std::int64_t j = i; j < count; ++j) tail[j - i] = from[j];
    hn::StoreU(activate(d, hn::LoadU(d, tail), a), d, tail);
    for (std::int64_t j = i; j < count; ++j) to[j] = tail[j - i];
}

void apply(const float* from, float* to, std::int64_t count, const Activation& a) {
    switch (a.kind) {
#define LAPIDARY_KIND(kind) \
    case ActivationKind::kind: return apply_kind<ActivationKind::kind>(from, to, count, a);
        LAPIDARY_KIND(none)
        LAPIDARY_ACTIVATION_KINDS(LAPIDARY_KIND)
#undef LAPIDARY_KIND
    }
}

}  // namespace

const ActivationKernels& activation_kernels() {
    static constexpr ActivationKernels table{&apply};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
