// SPDX-License-Identifier: Apache-2.0
#include "quantize/smoothing_error.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr double activation_steps = 255, weight_steps = 127;
/// Of the noise of weights rounded to the nearest: 48.4 in place of 44.6 dB on small transformers.
constexpr double left_by_compensation = 0.4;

}  // namespace

SmoothingError::SmoothingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                               const ObservedTensor& seen, bool compensated)
    : seen_(seen),
      row_squares_(seen.channel_peak.size(), 0),
      weight_share_(compensated ? left_by_compensation : 1) {
    for (const WeightedProduct& product : products) {
        WeightByChannel weight(graph, product);
        Weight kept;
        kept.outputs = static_cast<std::size_t>(weight.outputs());
        kept.magnitudes.assign(row_squares_.size() * kept.outputs, 0);
        weight.visit([&](float& v, std::size_t input, std::size_t output) {
            kept.magnitudes[input * kept.outputs + output] = std::abs(v);
            row_squares_[input] += static_cast<double>(v) * v;
        });
        weights_.push_back(std::move(kept));
    }
}

double SmoothingError::operator()(const std::vector<float>& divisors) const {
    double low = 0, high = 0, rounded_rows = 0, signal = 0;
    for (std::size_t c = 0; c < divisors.size(); ++c) {
        const double divisor = divisors[c];
        low = std::min(low, seen_.channel_low[c] / divisor);
        high = std::max(high, seen_.channel_high[c] / divisor);
        rounded_rows += divisor * divisor * row_squares_[c];
        signal += seen_.channel_square[c] / (divisor * divisor);
    }
    const double step = (high - low) / activation_steps;
    double error = step * step * rounded_rows;
    for (const Weight& weight : weights_) {
        std::vector<double> peaks(weight.outputs, 0);
        for (std::size_t c = 0; c < divisors.size(); ++c)
            for (std::size_t o = 0; o < weight.outputs; ++o)
                peaks[o] = std::max(peaks[o], static_cast<double>(weight.magnitudes[c * weight.outputs + o]) *
                                                  divisors[c]);
        for (double peak : peaks)
            error += weight_share_ * (peak / weight_steps) * (peak / weight_steps) * signal;
    }
    return error;
}

}  // namespace lapidary
