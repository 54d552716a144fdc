// SPDX-License-Identifier: Apache-2.0
#include <lapidary/report/tensor_statistics.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "kernels/dispatch.h"

namespace lapidary {
namespace {

// The least magnitudes that round to infinity, the largest that round to 0.
constexpr double float16_overflow = 65520, float16_underflow = 0x1p-25,
                 bfloat16_overflow = 0x1.ffp127, bfloat16_underflow = 0x1p-134;

/// `element` is finite.
void count_beyond(TensorStatistics& result, double element) {
    const double size = std::abs(element);
    if (size == 0) return;
    result.beyond_float16.too_large += size >= float16_overflow;
    result.beyond_float16.too_small += size <= float16_underflow;
    result.beyond_bfloat16.too_large += size >= bfloat16_overflow;
    result.beyond_bfloat16.too_small += size <= bfloat16_underflow;
}

/// Calls f(double) for every element. Throws cancelled.
template <typename F>
void for_each_element(const Tensor& tensor, const CancelToken& cancel, F&& f) {
    constexpr std::uint32_t between_looks = (1u << 18) - 1;  // elements, about a millisecond
    std::uint32_t count = 0;
    const auto take = [&](double value) {
        if ((++count & between_looks) == 0) cancel.throw_if_cancelled();
        f(value);
    };
    const bool is_plain = bit_width(tensor.dtype()) >= 8 &&
                          (is_integer(tensor.dtype()) || tensor.dtype() == DType::boolean ||
                           tensor.dtype() == DType::f32 || tensor.dtype() == DType::f64 ||
                           tensor.dtype() == DType::f16 || tensor.dtype() == DType::bf16);
    if (!is_plain) {
        for (const double value : to_doubles(tensor)) take(value);
        return;
    }
    dispatch<NumericOrBoolTypes>(tensor.dtype(), [&]<typename T>() {
        for (const T& value : tensor.data<T>()) take(static_cast<double>(value));
    });
}

}  // namespace

TensorStatistics statistics_of(const Tensor& tensor, int bins, const CancelToken& cancel) {
    if (!tensor || tensor.dtype() == DType::string || tensor.dtype() == DType::complex64 ||
        tensor.dtype() == DType::complex128)
        fail_input("statistics need a tensor of numbers, found " +
                   (tensor ? std::string(name_of(tensor.dtype())) : "none"));
    if (bins < 1) fail_input("a histogram needs at least one bin, found " + std::to_string(bins));
    TensorStatistics result;
    result.elements = tensor.size();
    result.histogram.assign(static_cast<std::size_t>(bins), 0);
    double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum, mean = 0,
           spread = 0;
    std::int64_t finite = 0;
    for_each_element(tensor, cancel, [&](double value) {  // mean and variance by Welford's update
        result.zeros += value == 0;
        result.nans += std::isnan(value);
        result.infinities += std::isinf(value);
        if (!std::isfinite(value)) return;
        ++finite;
        count_beyond(result, value);
        minimum = std::min(minimum, value);
        maximum = std::max(maximum, value);
        const double delta = value - mean;
        mean += delta / static_cast<double>(finite);
        spread += delta * (value - mean);
    });
    if (finite == 0) return result;
    result.minimum = minimum;
    result.maximum = maximum;
    result.mean = mean;
    result.stddev = std::sqrt(spread / static_cast<double>(finite));
    const double half_width = maximum / 2 - minimum / 2;  // halves: the width itself may overflow
    for_each_element(tensor, cancel, [&](double value) {
        if (!std::isfinite(value)) return;
        const double position = half_width > 0 ? (value / 2 - minimum / 2) / half_width * bins : 0;
        ++result.histogram[static_cast<std::size_t>(
            std::clamp(static_cast<int>(position), 0, bins - 1))];
    });
    return result;
}

}  // namespace lapidary
