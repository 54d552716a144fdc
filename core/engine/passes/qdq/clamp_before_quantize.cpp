// SPDX-License-Identifier: Apache-2.0
#include "passes/qdq/clamp_before_quantize.h"

#include <cmath>

#include <fmt/format.h>

namespace lapidary::passes {

std::string clamp_problem(const Quantization& q, double low, double high) {
    if (!q.is_constant()) return "the scale or zero point of QuantizeLinear is no constant";
    if (!is_integer(q.dtype) || q.dtype == DType::i32)
        return "QuantizeLinear writes " + std::string(name_of(q.dtype)) +
               ", needs integers of at most 16 bits";
    if (!q.plain_rounding || q.scales->dtype() != DType::f32)
        return "QuantizeLinear divides in 16-bit floats";
    if (low > high) return "the lower bound is above the upper one";
    const auto [least, most] = integer_range(q.dtype);
    const std::vector<double> scales = to_doubles(*q.scales), zeros = to_doubles(*q.zeros);
    for (std::size_t i = 0; i < std::max(scales.size(), zeros.size()); ++i) {
        const auto scale = static_cast<float>(scales[scales.size() == 1 ? 0 : i]);
        const double zero = zeros[zeros.size() == 1 ? 0 : i];
        if (!(scale > 0)) return fmt::format("the scale is {:g}, no positive number", scale);
        const auto at = [&](double bound) {
            return std::nearbyint(static_cast<double>(static_cast<float>(bound) / scale)) + zero;
        };
        if (at(low) > static_cast<double>(least))
            return fmt::format(
                "it clamps at {:g}, QuantizeLinear ({} with zero point {:g}) only at {:g}", low,
                name_of(q.dtype), zero, (static_cast<double>(least) - zero) * scale);
        if (at(high) < static_cast<double>(most))
            return fmt::format(
                "it clamps at {:g}, QuantizeLinear ({} with zero point {:g}) only at {:g}", high,
                name_of(q.dtype), zero, (static_cast<double>(most) - zero) * scale);
    }
    return {};
}

}  // namespace lapidary::passes
