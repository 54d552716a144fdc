// SPDX-License-Identifier: Apache-2.0
#include "passes/qdq/quantized_bias.h"

#include <cmath>

#include <fmt/format.h>

namespace lapidary::passes {

std::vector<double> expected_bias_scales(const Quantization& x, const Quantization& w,
                                         double alpha) {
    std::vector<double> scales = to_doubles(*w.scales);
    for (double& s : scales) s *= x.scale_value() * alpha;
    return scales;
}

std::string bias_problem(const Scope& scope, const std::optional<Quantization>& bias,
                         const std::vector<double>& expected) {
    if (!bias) return "the bias is float, not quantized to i32";
    if (bias->dtype != DType::i32)
        return fmt::format("the bias is quantized to {}, needs i32", name_of(bias->dtype));
    if (!bias->is_constant()) return "the scale or zero point of the bias is no constant";
    if (bias->block_size != 0) return "the bias is quantized in blocks";
    if (bias->scales->size() != 1 && bias->axis != scope.rank(bias->stored) - 1)
        return fmt::format("the bias has scales along axis {}, needs its last", bias->axis);
    for (const double z : to_doubles(*bias->zeros))
        if (z != 0) return fmt::format("the zero point of the bias is {:g}, needs 0", z);
    const std::vector<double> scales = to_doubles(*bias->scales);
    if (scales.size() != 1 && expected.size() != 1 && scales.size() != expected.size())
        return fmt::format("the bias has {} scales, the weight {}", scales.size(), expected.size());
    for (std::size_t i = 0; i < std::max(scales.size(), expected.size()); ++i) {
        const double found = scales[scales.size() == 1 ? 0 : i],
                     wanted = expected[expected.size() == 1 ? 0 : i];
        if (std::abs(found - wanted) > 1e-4 * std::abs(wanted))
            return fmt::format(
                "the bias has scale {:g}, input scale * weight scale is {:g}; they must agree",
                found, wanted);
    }
    return {};
}

}  // namespace lapidary::passes
