// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/smoothing_error.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr double steps_of_8_bits = 255, steps_of_16_bits = 65535, weight_steps = 127;
constexpr double uniform = 1.0 / 12;  // of a step's square: the mean square of its roundings
/// Share of the noise of weights rounded to nearest that compensated rounding leaves: 48.4 instead
/// of 44.6 dB on small transformers.
constexpr double left_by_compensation = 0.4;

double input_steps(const QuantizeOptions& options) {
    const bool wide = options.activation == DType::u16 || options.activation == DType::i16;
    return options.mode == QuantizeMode::static_qdq && wide ? steps_of_16_bits : steps_of_8_bits;
}

/// The range of all channels after division, with 0 in it.
RealRange divided_range(const HeldOutRows::Part& part, const std::vector<float>& divisors) {
    RealRange range;
    for (std::size_t c = 0; c < divisors.size(); ++c) {
        range.low = std::min(range.low, part.low[c] / divisors[c]);
        range.high = std::max(range.high, part.high[c] / divisors[c]);
    }
    return range;
}

}  // namespace

double SmoothingCost::mean() const {
    double sum = 0;
    for (const double row : of_input) sum += row;
    return of_weights + (of_input.empty() ? 0 : sum / static_cast<double>(of_input.size()));
}

bool SmoothingCost::is_clearly_below(const SmoothingCost& other) const {
    const double gained = other.mean() - mean(), weights = other.of_weights - of_weights;
    const auto rows = static_cast<double>(of_input.size());
    double spread = 0;
    for (std::size_t i = 0; i < of_input.size(); ++i) {
        const double off = other.of_input[i] - of_input[i] + weights - gained;
        spread += off * off;
    }
    return rows > 1 && gained > 2 * std::sqrt(spread / (rows * (rows - 1)));
}

SmoothingError::SmoothingError(const Graph& graph, const std::vector<WeightedProduct>& products,
                               const ObservedTensor& seen, const HeldOutRows& held_out,
                               const QuantizeOptions& options)
    : seen_(seen), held_out_(held_out), row_squares_(seen.channel_peak.size(), 0),
      weight_share_(options.compensated_rounding ? left_by_compensation : 1),
      input_steps_(input_steps(options)),
      range_of_each_run_(options.mode == QuantizeMode::dynamic) {
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

SmoothingCost SmoothingError::operator()(const DivisorsOf& divisors_of) const {
    return {of_input(divisors_of), of_weights(divisors_of(seen_.channel_peak))};
}

std::vector<double> SmoothingError::of_input(const DivisorsOf& divisors_of) const {
    std::vector<double> errors;
    for (const std::size_t judging : held_out_.judging()) {
        const HeldOutRows::Part& part = held_out_.parts[judging];
        const HeldOutRows::Part others = held_out_.others(judging);
        std::vector<float> peaks(others.low.size());
        for (std::size_t c = 0; c < peaks.size(); ++c)
            peaks[c] = std::max(-others.low[c], others.high[c]);
        const std::vector<float> divisors = divisors_of(peaks);
        const RealRange range = divided_range(range_of_each_run_ ? part : others, divisors);
        const double step = (static_cast<double>(range.high) - range.low) / input_steps_;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            const std::size_t c = i % divisors.size();
            if (c == 0) errors.push_back(0);
            const double divisor = divisors[c], value = part.rows[i] / divisor;
            const double bound = std::clamp<double>(value, range.low, range.high);
            const double off = step > 0 ? value - std::nearbyint(bound / step) * step : value;
            errors.back() += off * off * divisor * divisor * row_squares_[c];
        }
    }
    return errors;
}

double SmoothingError::of_weights(const std::vector<float>& divisors) const {
    double signal = 0, error = 0;
    for (std::size_t c = 0; c < divisors.size(); ++c)
        signal += seen_.channel_square[c] / (static_cast<double>(divisors[c]) * divisors[c]);
    for (const Weight& weight : weights_) {
        std::vector<double> peaks(weight.outputs, 0);
        for (std::size_t c = 0; c < divisors.size(); ++c)
            for (std::size_t o = 0; o < weight.outputs; ++o)
                peaks[o] = std::max(
                    peaks[o],
                    static_cast<double>(weight.magnitudes[c * weight.outputs + o]) * divisors[c]);
        for (const double peak : peaks) {
            const double step = peak / weight_steps;
            error += weight_share_ * uniform * step * step * signal;
        }
    }
    return error;
}

}  // namespace lapidary
