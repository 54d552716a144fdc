// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/transposed_layout.h"

#include <algorithm>
#include <numeric>

namespace lapidary {
namespace {

/// `all_or_none`: phases share one class or have a class each.
std::vector<PhaseClass> classes_of(std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                                   bool all_or_none) {
    std::vector<PhaseClass> single, classes;
    for (std::int64_t phase = 0; phase < stride; ++phase) {
        PhaseClass own{{phase}, {{}}, {}};
        for (std::int64_t k = 0; k < kernel; ++k) {
            if (k * dilation % stride != phase) continue;
            own.taps[0].push_back(k);
            own.steps.push_back(k * dilation / stride);
        }
        const auto same = std::ranges::find(classes, own.steps, &PhaseClass::steps);
        if (same == classes.end()) classes.push_back(own);
        else {
            same->phases.push_back(phase);
            same->taps.push_back(own.taps[0]);
        }
        single.push_back(std::move(own));
    }
    return all_or_none && classes.size() > 1 ? single : classes;
}

}  // namespace

TransposedLayout::TransposedLayout(const WindowAttributes& window,
                                   const std::vector<std::int64_t>& weight,
                                   std::int64_t group_count, std::int64_t most_rows)
    : groups(group_count), channels(weight[0] / group_count), filters(weight[1]), taps(1),
      block_rows(most_rows) {
    const std::size_t spatial = weight.size() - 2, missing = 3 - spatial;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool exists = axis >= missing;
        if (exists) kernel_[axis] = weight[axis - missing + 2];
        taps *= kernel_[axis];
        axes[axis] = classes_of(kernel_[axis], exists ? window.strides[axis - missing] : 1,
                                exists ? window.dilations[axis - missing] : 1, axis == 2);
    }
    std::int64_t first_phase = 0, first_tap = 0, least = block_rows;
    for (std::size_t z = 0; z < axes[0].size(); ++z)
        for (std::size_t y = 0; y < axes[1].size(); ++y)
            for (std::size_t x = 0; x < axes[2].size(); ++x) {
                PhaseGroup g{{z, y, x}};
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    g.phases *= static_cast<std::int64_t>(of(g, axis).phases.size());
                    g.taps *= static_cast<std::int64_t>(of(g, axis).steps.size());
                }
                g.first_phase = first_phase;
                g.first_tap = first_tap;
                first_phase += g.phases;
                first_tap += g.phases * g.taps;
                least = std::min(least, g.phases);
                phase_groups.push_back(g);
            }
    unit_filters = block_rows / std::gcd(block_rows, least);  // whose rows fill their blocks
}

TransposedLayout::Block TransposedLayout::block(std::int64_t group, const PhaseGroup& g,
                                                std::int64_t unit, std::int64_t index) const {
    const std::int64_t all = rows(g, unit), count = blocks(g, unit), first = index * all / count;
    const std::int64_t before =
        (group * taps + g.first_tap) * filters + g.taps * (first_filter(unit) * g.phases + first);
    return {first, (index + 1) * all / count - first, before * channels};
}

void TransposedLayout::pack(const float* weight, std::int64_t group, float* to) const {
    for (const PhaseGroup& g : phase_groups) {
        const PhaseClass &z = of(g, 0), &y = of(g, 1), &x = of(g, 2);
        const auto phases_x = static_cast<std::int64_t>(x.phases.size()),
                   phases_y = static_cast<std::int64_t>(y.phases.size());
        for (std::int64_t unit = 0; unit < units(); ++unit)
            for (std::int64_t b = 0; b < blocks(g, unit); ++b) {
                const Block block = this->block(group, g, unit, b);
                float* p = to + block.place;
                for (std::int64_t c = 0; c < channels; ++c)
                    for (std::size_t kz = 0; kz < z.steps.size(); ++kz)
                        for (std::size_t ky = 0; ky < y.steps.size(); ++ky)
                            for (std::size_t kx = 0; kx < x.steps.size(); ++kx)
                                for (std::int64_t row = block.first;
                                     row < block.first + block.count; ++row) {
                                    const std::int64_t filter = first_filter(unit) + row / g.phases,
                                                       phase = row % g.phases;
                                    const std::int64_t tz = z.taps[static_cast<std::size_t>(
                                        phase / (phases_x * phases_y))][kz];
                                    const std::int64_t
                                        ty = y.taps[static_cast<std::size_t>(phase / phases_x %
                                                                             phases_y)][ky],
                                        tx = x.taps[static_cast<std::size_t>(phase % phases_x)][kx];
                                    *p++ =
                                        weight[((group * channels + c) * filters + filter) * taps +
                                               (tz * kernel_[1] + ty) * kernel_[2] + tx];
                                }
            }
    }
}

}  // namespace lapidary
