// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/static_parameters.h"

#include <algorithm>

#include "base/at.h"

namespace lapidary {

RangeOptions range_options(const QuantizeOptions& options) {
    const StoredRange whole = whole_range(options.activation);
    RangeOptions ranges;
    ranges.method = options.range;
    ranges.percentile = options.percentile;
    ranges.levels = whole.highest - whole.lowest + 1;
    ranges.symmetric = options.symmetric_activation;
    ranges.headroom = options.range_headroom;
    return ranges;
}

QuantizedRange quantized_range(const ObservedTensor& seen, const AffineParameters& chosen,
                               DType dtype) {
    const StoredRange stored = whole_range(dtype);
    const auto real = [&](std::int32_t value) {
        return static_cast<float>((value - chosen.zero_point) * static_cast<double>(chosen.scale));
    };
    QuantizedRange out{seen.name,
                       dtype,
                       seen.low,
                       seen.high,
                       real(stored.lowest),
                       real(stored.highest),
                       chosen.scale,
                       chosen.zero_point,
                       0,
                       {}};
    if (seen.histogram.empty()) return out;
    out.histogram.assign(quantized_range_bins, 0);
    const double bottom = seen.bottom(),
                 width = (static_cast<double>(seen.top()) - bottom) / histogram_bins;
    const double half_step = static_cast<double>(chosen.scale) / 2;  // rounding brings so much back
    double beyond = 0, all = 0;
    for (std::size_t i = 0; i < seen.histogram.size(); ++i) {
        const double middle = bottom + width * (static_cast<double>(i) + 0.5);
        const auto count = static_cast<double>(seen.histogram[i]);
        out.histogram[i * quantized_range_bins / histogram_bins] += seen.histogram[i];
        all += count;
        const bool inside = middle >= static_cast<double>(out.lowest) - half_step &&
                            middle <= static_cast<double>(out.highest) + half_step;
        if (!inside) beyond += count;
    }
    if (all > 0) out.saturated = beyond / all;
    return out;
}

Tensor corrected_bias(const Graph& graph, const WeightedProduct& product, const Tensor& bias,
                      const Tensor& weight, const QuantizedWeight& stored,
                      const ObservedTensor* seen, const CancelToken& cancel) {
    const std::int64_t per_group = weight.dim(static_cast<std::size_t>(product.input_axis)),
                       outputs = weight.dim(static_cast<std::size_t>(product.output_axis));
    if (!seen || product.output_axis > 1 || is_transposed_convolution(graph.node(product.node)) ||
        seen->channel_mean.size() != static_cast<std::size_t>(per_group * product.groups) ||
        bias.size() != outputs)
        return bias;
    const Tensor rounded = dequantized(stored, cancel);
    const std::int64_t taps = weight.size() / std::max<std::int64_t>(1, per_group * outputs),
                       group_outputs = outputs / product.groups;
    Tensor out = bias.clone();
    for (std::int64_t o = 0; o < outputs; ++o) {
        cancel.throw_if_cancelled();
        double shift = 0;
        for (std::int64_t i = 0; i < per_group; ++i) {
            const std::int64_t first =
                (product.output_axis == 0 ? o * per_group + i : i * outputs + o) * taps;
            double sum = 0;
            for (std::int64_t t = first; t < first + taps; ++t)
                sum += static_cast<double>(rounded.data<float>()[static_cast<std::size_t>(t)]) -
                       weight.data<float>()[static_cast<std::size_t>(t)];
            shift += sum * at(seen->channel_mean, o / group_outputs * per_group + i);
        }
        out.mutable_data<float>()[static_cast<std::size_t>(o)] =
            static_cast<float>(bias.data<float>()[static_cast<std::size_t>(o)] - shift);
    }
    return out;
}

}  // namespace lapidary
