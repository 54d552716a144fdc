// SPDX-License-Identifier: Apache-2.0
#include "quantize/compensated_weight.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "quantize/collect_moments.h"
#include "quantize/inverse_root.h"

namespace lapidary {
namespace {

/// How errors of one group of channels are handed on: the order of the inputs, and the factor for it.
struct ErrorFlow {
    std::vector<std::size_t> order;
    std::vector<double> upper;
};

std::optional<ErrorFlow> error_flow(const double* sums, std::size_t n) {
    ErrorFlow flow;
    flow.order.resize(n);
    std::iota(flow.order.begin(), flow.order.end(), std::size_t(0));
    std::ranges::stable_sort(flow.order, std::greater<>(), [&](std::size_t i) { return sums[i * n + i]; });
    // Of the moments the lower triangle is filled.
    std::vector<double> h(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const auto [less, more] = std::minmax(flow.order[i], flow.order[j]);
            h[i * n + j] = sums[more * n + less];
        }
    auto upper = inverse_root(std::move(h), n, moment_damping);
    if (!upper) return std::nullopt;
    flow.upper = std::move(*upper);
    return flow;
}

/// One output channel: `row` to the grid of `scale`, each error divided among the elements after it.
void round_row(std::vector<double>& row, double scale, const std::vector<double>& upper, double keep_magnitude,
               const StoredRange& levels) {
    const std::size_t n = row.size();
    std::vector<char> kept(n);
    std::vector<double> original = row;
    for (std::size_t i = 0; i < n; ++i) kept[i] = std::abs(row[i]) == keep_magnitude;
    for (std::size_t i = 0; i < n; ++i) {
        const double stored = kept[i] ? original[i]
                                      : std::clamp(std::nearbyint(row[i] / scale),
                                                   static_cast<double>(levels.lowest),
                                                   static_cast<double>(levels.highest)) *
                                            scale;
        const double error = (row[i] - stored) / upper[i * n + i];
        row[i] = stored;
        for (std::size_t j = i + 1; j < n; ++j) row[j] -= error * upper[i * n + j];
    }
}

}  // namespace

Tensor compensated_weight(const Tensor& weight, std::int64_t output_axis, const InputMoments& moments,
                          const WeightFormat& format) {
    const auto n = static_cast<std::size_t>(moments.size);
    const std::int64_t outputs = weight.dim(static_cast<std::size_t>(output_axis)), in_group = outputs / moments.groups;
    const QuantizedWeight plain = quantize_weight(weight, format);
    const std::int32_t middle = affine_parameters(-1, 1, format.values).zero_point;
    StoredRange levels = stored_range(format.values);
    levels = {levels.lowest - middle, levels.highest - middle};
    float largest = 0;
    for (float v : weight.data<float>()) largest = std::max(largest, std::abs(v));
    Tensor out = weight.clone();
    const auto data = out.mutable_data<float>();
    const auto place = [&](std::int64_t o, std::size_t i) {
        return output_axis == 0 ? static_cast<std::size_t>(o) * n + i
                                : i * static_cast<std::size_t>(outputs) + static_cast<std::size_t>(o);
    };
    std::vector<double> row(n);
    for (std::int64_t g = 0; g < moments.groups; ++g) {
        const auto flow = error_flow(moments.sums.data() + static_cast<std::size_t>(g) * n * n, n);
        if (!flow) continue;
        for (std::int64_t o = g * in_group; o < (g + 1) * in_group; ++o) {
            float peak = 0;
            for (std::size_t i = 0; i < n; ++i) {
                row[i] = data[place(o, flow->order[i])];
                peak = std::max(peak, std::abs(data[place(o, i)]));
            }
            const auto scales = plain.scale.data<float>();
            round_row(row, scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(o)], flow->upper,
                      format.axis ? peak : largest, levels);
            for (std::size_t i = 0; i < n; ++i) data[place(o, flow->order[i])] = static_cast<float>(row[i]);
        }
    }
    return out;
}

}  // namespace lapidary
