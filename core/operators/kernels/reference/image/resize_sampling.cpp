// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/image/resize_sampling.h"

#include <algorithm>
#include <cmath>

namespace lapidary::reference {

float source_coordinate(const ResizeGeometry& g, const ResizeAxis& a, std::int64_t position) {
    const auto x = static_cast<float>(position), input = static_cast<float>(a.input),
               output = static_cast<float>(a.output);
    switch (g.coordinates) {
    case ResizeCoordinates::half_pixel: return (x + 0.5f) / a.scale - 0.5f;
    case ResizeCoordinates::half_pixel_symmetric: {
        const float adjustment = output / (a.scale * input);
        return input / 2 * (1 - adjustment) + (x + 0.5f) / a.scale - 0.5f;
    }
    case ResizeCoordinates::pytorch_half_pixel:
        return a.output > 1 ? (x + 0.5f) / a.scale - 0.5f : 0.0f;
    case ResizeCoordinates::align_corners:
        return a.output > 1 ? x * (input - 1) / (output - 1) : 0.0f;
    case ResizeCoordinates::asymmetric: return x / a.scale;
    case ResizeCoordinates::tf_half_pixel_for_nn: return (x + 0.5f) / a.scale;
    case ResizeCoordinates::tf_crop_and_resize:
        if (a.output > 1)
            return a.roi_start * (input - 1) +
                   x * (a.roi_end - a.roi_start) * (input - 1) / (output - 1);
        return 0.5f * (a.roi_start + a.roi_end) * (input - 1);
    }
    return 0;
}

namespace {

float nearest_position(const ResizeGeometry& g, const ResizeAxis& a, float x) {
    switch (g.nearest) {
    case ResizeNearest::round_prefer_floor: return std::ceil(x - 0.5f);
    case ResizeNearest::round_prefer_ceil: return std::floor(x + 0.5f);
    case ResizeNearest::floor: return std::floor(x);
    case ResizeNearest::ceil: return std::ceil(x);
    case ResizeNearest::truncate_or_ceil: return a.scale < 1 ? std::ceil(x) : std::floor(x);
    }
    return 0;
}

std::int64_t clamped(float position, std::int64_t size) {
    return static_cast<std::int64_t>(std::clamp(position, 0.0f, static_cast<float>(size - 1)));
}

/// The linear or cubic (Keys) kernel at distance x.
double kernel_weight(const ResizeGeometry& g, double x) {
    x = std::abs(x);
    if (g.mode == ResizeMode::linear) return std::max(0.0, 1 - x);
    const double a = g.cubic_a;
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

/// Replaces taps with weight 0, from `first` on, by halves of taps with a weight, so that elements
/// which the filter ignores (perhaps NaN) do not enter its sum.
void leave_out_zeros(AxisSampling& s, std::size_t first) {
    std::size_t donor = s.weight.size();
    for (std::size_t at = first; at < s.weight.size(); ++at) {
        if (s.weight[at] != 0) continue;
        for (std::size_t looked = first; looked < s.weight.size(); ++looked) {
            if (++donor >= s.weight.size()) donor = first;
            if (s.weight[donor] != 0) break;
        }
        s.index[at] = s.index[donor];
        s.weight[at] = s.weight[donor] /= 2;
    }
}

void sample_filter(const ResizeGeometry& g, const ResizeAxis& a, AxisSampling& s) {
    const double radius = g.mode == ResizeMode::linear ? 1 : 2;
    // Shrinking with antialias stretches the kernel over more input.
    const double shrink = g.antialias ? std::min(1.0, static_cast<double>(a.scale)) : 1.0;
    const double reach = std::ceil(radius / shrink);
    if (!(reach < 1 << 24))
        fail_limit("Resize: a scale of " + std::to_string(a.scale) + " needs too wide a filter");
    const auto first = -static_cast<std::int64_t>(reach) + 1;
    s.taps = 2 * static_cast<std::int64_t>(reach);
    if (static_cast<double>(s.taps) * static_cast<double>(a.output) > 1 << 28)
        fail_limit("Resize: " + std::to_string(a.output) + " outputs with filters of " +
                   std::to_string(s.taps) + " taps are too many");
    std::vector<double> weights(static_cast<std::size_t>(s.taps));
    for (std::int64_t o = 0; o < a.output; ++o) {
        const double x = source_coordinate(g, a, o);
        const double base = std::floor(x);
        double sum = 0;
        for (std::int64_t t = 0; t < s.taps; ++t) {
            const double position = base + static_cast<double>(first + t);
            double& weight = weights[static_cast<std::size_t>(t)];
            weight = kernel_weight(g, (position - x) * shrink);
            if (g.exclude_outside && !(position >= 0 && position < static_cast<double>(a.input)))
                weight = 0;
            sum += weight;
            s.index.push_back(clamped(static_cast<float>(position), a.input));
        }
        const bool normalizes = (g.antialias || g.exclude_outside) && sum != 0;
        for (const double weight : weights)
            s.weight.push_back(static_cast<float>(normalizes ? weight / sum : weight));
        if (normalizes) leave_out_zeros(s, s.weight.size() - weights.size());
    }
}

}  // namespace

std::int64_t nearest_input(const ResizeGeometry& g, const ResizeAxis& a, std::int64_t position) {
    return clamped(nearest_position(g, a, source_coordinate(g, a, position)), a.input);
}

AxisSampling sample_axis(const ResizeGeometry& g, const ResizeAxis& a) {
    AxisSampling s;
    if (a.input == 0 && a.output > 0)
        fail_input("Resize: an axis of size 0 cannot grow to " + std::to_string(a.output));
    const bool crops = g.coordinates == ResizeCoordinates::tf_crop_and_resize;
    s.is_identity =
        a.input == a.output && a.scale == 1 && !(crops && (a.roi_start != 0 || a.roi_end != 1));
    if (a.output == 0) return s;
    if (s.is_identity || g.mode == ResizeMode::nearest) {
        for (std::int64_t o = 0; o < a.output; ++o)
            s.index.push_back(s.is_identity ? o : nearest_input(g, a, o));
        if (g.mode != ResizeMode::nearest) s.weight.assign(s.index.size(), 1.0f);
    } else {
        sample_filter(g, a, s);
    }
    if (crops)
        for (std::int64_t o = 0; o < a.output; ++o) {
            const float x = source_coordinate(g, a, o);
            s.is_extrapolated.push_back(!(x >= 0 && x <= static_cast<float>(a.input - 1)));
        }
    return s;
}

}  // namespace lapidary::reference
