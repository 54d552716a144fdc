// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/compensated_weight.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "quantize/calibration/collect_moments.h"
#include "quantize/weights/inverse_root.h"

namespace lapidary {
namespace {

/// How errors are distributed in one group of channels: the order of the inputs, and the triangular
/// factor in that order.
struct ErrorFlow {
    std::vector<std::size_t> order;
    std::vector<double> upper;
};

std::optional<ErrorFlow> error_flow(const double* sums, std::size_t n, ThreadPool& threads,
                                    const CancelToken& cancel) {
    ErrorFlow flow;
    flow.order.resize(n);
    std::iota(flow.order.begin(), flow.order.end(), std::size_t(0));
    std::ranges::stable_sort(flow.order, std::greater<>(),
                             [&](std::size_t i) { return sums[i * n + i]; });
    // Only the lower triangle of the moments is filled.
    std::vector<double> h(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const auto [less, more] = std::minmax(flow.order[i], flow.order[j]);
            h[i * n + j] = sums[more * n + less];
        }
    auto upper = inverse_root(std::move(h), n, moment_damping, threads, cancel);
    if (!upper) return std::nullopt;
    flow.upper = std::move(*upper);
    return flow;
}

/// The elements that determine a scale.
struct Extremes {
    float low = 0, high = 0;

    void add(float v) {
        low = std::min(low, v);
        high = std::max(high, v);
    }
};

/// The values that one scale can represent. `lowest` and `highest`: in steps, minus the zero point.
struct Grid {
    double scale = 1, lowest = 0, highest = 0;
    Extremes kept;  // the elements that stay as they are, so that they give the same scale again

    bool keeps(double v) const { return v != 0 && (v == kept.low || v == kept.high); }
    double rounded(double v) const {
        return std::clamp<double>(std::clamp(std::nearbyint(v / scale), lowest, highest) * scale,
                                  kept.low, kept.high);
    }
};

Grid grid_of(const AffineFormat& format, float scale, std::int32_t zero_point, Extremes extremes) {
    const StoredRange levels = stored_range(format);
    if (format.symmetric) {
        extremes.high = std::max(-extremes.low, extremes.high);
        extremes.low = -extremes.high;
    }
    // The zero point is rounded, so one end of the type may represent a value beyond the extremes,
    // which would change the scale.
    constexpr double tolerance = 1e-3;
    const double step = scale, lowest = levels.lowest - zero_point,
                 highest = levels.highest - zero_point;
    return {step, std::max(lowest, std::ceil(extremes.low / step - tolerance)),
            std::min(highest, std::floor(extremes.high / step + tolerance)), extremes};
}

/// One output channel: `row` to the grid, each error divided among the elements after it.
void round_row(std::vector<double>& row, const Grid& grid, const std::vector<double>& upper) {
    const std::size_t n = row.size();
    const std::vector<double> original = row;
    for (std::size_t i = 0; i < n; ++i) {
        const double stored = grid.keeps(original[i]) ? original[i] : grid.rounded(row[i]);
        const double error = (row[i] - stored) / upper[i * n + i];
        row[i] = stored;
        for (std::size_t j = i + 1; j < n; ++j) row[j] -= error * upper[i * n + j];
    }
}

}  // namespace

Tensor compensated_weight(const Tensor& weight, std::int64_t output_axis,
                          const InputMoments& moments, const WeightFormat& format,
                          ThreadPool& threads, const CancelToken& cancel) {
    const auto n = static_cast<std::size_t>(moments.size);
    const std::int64_t outputs = weight.dim(static_cast<std::size_t>(output_axis)),
                       in_group = outputs / moments.groups;
    const QuantizedWeight plain = quantize_weight(weight, format, cancel);
    const std::vector<std::int32_t> zero_points = stored_values(plain.zero_point);
    Extremes of_all;
    for (float v : weight.data<float>()) of_all.add(v);
    Tensor out = weight.clone();
    const auto data = out.mutable_data<float>();
    const auto place = [&](std::int64_t o, std::size_t i) {
        return output_axis == 0
                   ? static_cast<std::size_t>(o) * n + i
                   : i * static_cast<std::size_t>(outputs) + static_cast<std::size_t>(o);
    };
    const auto round_output = [&](std::int64_t o, const ErrorFlow& flow) {
        std::vector<double> row(n);
        Extremes of_row;
        for (std::size_t i = 0; i < n; ++i) {
            row[i] = data[place(o, flow.order[i])];
            of_row.add(data[place(o, i)]);
        }
        const std::size_t scale = plain.scale.size() == 1 ? 0 : static_cast<std::size_t>(o);
        round_row(row,
                  grid_of(format.values, plain.scale.data<float>()[scale], zero_points[scale],
                          format.axis ? of_row : of_all),
                  flow.upper);
        for (std::size_t i = 0; i < n; ++i)
            data[place(o, flow.order[i])] = static_cast<float>(row[i]);
    };
    for (std::int64_t g = 0; g < moments.groups; ++g) {
        const auto flow = error_flow(moments.sums.data() + static_cast<std::size_t>(g) * n * n, n,
                                     threads, cancel);
        if (!flow) continue;
        threads.parallel_tasks(in_group, [&](std::int64_t o, int) {
            cancel.throw_if_cancelled();
            round_output(g * in_group + o, *flow);
        });
    }
    return out;
}

}  // namespace lapidary
