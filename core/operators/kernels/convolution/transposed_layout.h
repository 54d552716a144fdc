// SPDX-License-Identifier: Apache-2.0
// How a transposed convolution splits into convolutions of stride 1. Per axis, output positions o
// with one r = (o + pad) mod stride, o = stride * q + r - pad, see the taps k with k * dilation = r
// (mod stride) only, and those read input position q - k * dilation / stride: for each of these
// phases it is a convolution over the grid of q. Phases that read the same input positions are
// multiplied together, as rows of one product.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ops/geometry/window.h"

namespace lapidary {

/// Phases of one axis that read the same input positions.
struct PhaseClass {
    std::vector<std::int64_t> phases;
    std::vector<std::vector<std::int64_t>> taps;  // kernel positions of each of them
    std::vector<std::int64_t> steps;              // how far before q its taps read
};

/// Phases of all axes that are multiplied together.
struct PhaseGroup {
    std::array<std::size_t, 3> classes;
    std::int64_t phases = 1, taps = 1;  // of each phase
    // phases, and taps of all phases, in the groups before it
    std::int64_t first_phase = 0, first_tap = 0;
};

/// Weights are packed group of channels by group of channels, phase group by phase group, and there
/// unit of filters by unit; a unit's rows (filter, phase) lie in blocks [channels, taps, rows of
/// the block].
struct TransposedLayout {
    std::int64_t groups, channels, filters;  // channels and filters of one group
    std::int64_t taps;                       // of the window
    std::int64_t block_rows, unit_filters;   // at most
    // z, y, x; those that are missing have one phase of one tap
    std::array<std::vector<PhaseClass>, 3> axes;
    std::vector<PhaseGroup> phase_groups;  // classes of x alternate fastest

    /// Of a weight [channels, filters, spatial...] with 1 to 3 spatial axes.
    TransposedLayout(const WindowAttributes& window, const std::vector<std::int64_t>& weight,
                     std::int64_t groups, std::int64_t block_rows);

    std::int64_t phases() const {
        return phase_groups.back().first_phase + phase_groups.back().phases;
    }
    std::int64_t units() const { return (filters + unit_filters - 1) / unit_filters; }
    std::int64_t first_filter(std::int64_t unit) const { return unit * filters / units(); }
    const PhaseClass& of(const PhaseGroup& g, std::size_t axis) const {
        return axes[axis][g.classes[axis]];
    }

    /// Rows [first, first + count) of a unit, where their weights begin.
    struct Block {
        std::int64_t first, count, place;
    };
    std::int64_t blocks(const PhaseGroup& g, std::int64_t unit) const {
        return (rows(g, unit) + block_rows - 1) / block_rows;
    }
    Block block(std::int64_t group, const PhaseGroup& g, std::int64_t unit,
                std::int64_t index) const;

    /// One group of channels of the weight to its place in `to`.
    void pack(const float* weight, std::int64_t group, float* to) const;

private:
    std::int64_t rows(const PhaseGroup& g, std::int64_t unit) const {
        return (first_filter(unit + 1) - first_filter(unit)) * g.phases;
    }
    std::array<std::int64_t, 3> kernel_{1, 1, 1};
};

}  // namespace lapidary
