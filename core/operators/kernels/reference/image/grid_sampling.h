// SPDX-License-Identifier: Apache-2.0
// What a GridSample node asks for, and which input a location of its grid reads.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/kernel.h"

namespace lapidary::reference {

enum class SampleMode : std::uint8_t { nearest, linear, cubic };
enum class OutsideMode : std::uint8_t { zeros, border, reflection };

constexpr std::size_t max_grid_axes = 6;

struct GridGeometry {
    SampleMode mode;
    OutsideMode outside;
    bool align_corners;
    std::int64_t images, channels, input_size = 1, output_size = 1;
    std::size_t axes = 0;                             // spatial
    std::array<std::int64_t, max_grid_axes> sizes{};  // of X along them
    Shape output;
};

/// Throws invalid_model or invalid_input with expected and found.
GridGeometry read_grid_sample(const Node& node, const Tensor& x, const Tensor& grid);

/// Mirrors x at the borders until it lies in [low, high].
template <typename F>
F reflect(F x, F low, F high) {
    const F range = high - low;
    if (range <= 0) return low;
    const F distance = x < low ? low - x : x - high;
    if (distance <= 0) return x;
    const F folds = std::floor(distance / range), rest = distance - folds * range;
    const bool from_near_border = std::fmod(folds, F(2)) == 0;
    if (x < low) return from_near_border ? low + rest : high - rest;
    return from_near_border ? high - rest : low + rest;
}

/// The taps along one axis for one location: input indices (-1 for zero) and weights.
template <typename F>
struct AxisTaps {
    int count = 0;
    std::array<std::int64_t, 4> index;
    std::array<F, 4> weight;
};

template <typename F>
AxisTaps<F> taps_of(const GridGeometry& g, std::int64_t size, F normalized) {
    const F length = static_cast<F>(size), low = g.align_corners ? F(0) : F(-0.5),
            high = g.align_corners ? length - 1 : length - F(0.5);
    F x =
        g.align_corners ? (normalized + 1) / 2 * (length - 1) : ((normalized + 1) * length - 1) / 2;
    // A location that is no number, or too far away to count in, is outside.
    if (!(std::abs(x) < F(1e9))) x = -2;
    if (g.mode == SampleMode::nearest) x = std::nearbyint(x);
    // Cubic maps each of its taps instead, below.
    if (g.mode != SampleMode::cubic && (x < low || x > high)) {
        if (g.outside == OutsideMode::border) x = std::clamp(x, F(0), length - 1);
        else if (g.outside == OutsideMode::reflection) x = reflect(x, low, high);
    }
    AxisTaps<F> taps;
    const F base = std::floor(x), f = x - base;
    if (g.mode == SampleMode::nearest) {
        taps.count = 1;
        taps.weight[0] = 1;
    } else if (g.mode == SampleMode::linear) {
        taps.count = 2;
        taps.weight[0] = 1 - f;
        taps.weight[1] = f;
    } else {
        taps.count = 4;
        constexpr F a = F(-0.75);
        const auto far = [](F d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
        const auto near = [](F d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
        taps.weight = {far(f + 1), near(f), near(1 - f), far(2 - f)};
    }
    const auto first = static_cast<std::int64_t>(base) - (taps.count == 4);
    for (int t = 0; t < taps.count; ++t) {
        std::int64_t at = first + t;
        if (at < 0 || at >= size) {
            if (g.outside == OutsideMode::zeros) at = -1;
            else if (g.outside == OutsideMode::border)
                at = std::clamp<std::int64_t>(at, 0, size - 1);
            else
                at = std::clamp<std::int64_t>(
                    static_cast<std::int64_t>(reflect(static_cast<F>(at), low, high)), 0, size - 1);
        }
        taps.index[static_cast<std::size_t>(t)] = at;
    }
    return taps;
}

}  // namespace lapidary::reference
