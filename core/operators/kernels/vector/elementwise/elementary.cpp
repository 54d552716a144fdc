// SPDX-License-Identifier: Apache-2.0
#include "kernels/vector/elementwise/elementary.h"

#include "kernels/vector/math.h"
#include "kernels/vector/partial.h"

namespace lapidary::LAPIDARY_ISA {
namespace {

const hn::ScalableTag<float> d;

template <typename F>
HWY_INLINE void for_each_vector(const float* from, float* to, std::int64_t count, F f) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(f(hn::LoadU(d, from + i)), d, to + i);
    if (i < count) store_first(d, f(load_first(d, from + i, count - i)), to + i, count - i);
}

void exp_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return exp(d, x); });
}
void log_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return log(d, x); });
}
void erf_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return erf(d, x); });
}
void tanh_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return tanh(d, x); });
}
void sigmoid_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return sigmoid(d, x); });
}
void gelu_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return gelu(d, x); });
}
void gelu_tanh_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return gelu_tanh(d, x); });
}
void sin_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return sin(d, x); });
}
void cos_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return cos(d, x); });
}
void atan_all(const float* from, float* to, std::int64_t count) {
    for_each_vector(from, to, count, [](auto x) HWY_ATTR { return atan(d, x); });
}

}  // namespace

const ElementaryKernels& elementary_kernels() {
    static constexpr ElementaryKernels table{&exp_all,     &log_all,  &erf_all,       &tanh_all,
                                             &sigmoid_all, &gelu_all, &gelu_tanh_all, &sin_all,
                                             &cos_all,     &atan_all};
    return table;
}

}  // namespace lapidary::LAPIDARY_ISA
