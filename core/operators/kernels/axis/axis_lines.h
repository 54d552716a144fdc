// SPDX-License-Identifier: Apache-2.0
// The lines of a tensor along one axis, shared among workers.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lapidary/tensor/tensor.h>

#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/kernel.h"

namespace lapidary {

/// [outer, length, inner]: element (o, i, k) lies at (o * length + i) * inner + k. `axis` is within
/// the rank.
struct AxisLines {
    std::int64_t outer = 1, length = 1, inner = 1;

    AxisLines(const Shape& shape, std::int64_t axis) {
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(shape.size()); ++i)
            (i < axis ? outer : i == axis ? length : inner) *= shape[static_cast<std::size_t>(i)];
    }

    /// body(o, first, count, worker) for lines first to first + count of each o, at most `width`
    /// neighbours at a time (one where inner is 1), by all threads where that pays. For tensors
    /// that have elements.
    template <typename Body>
    void for_tiles(KernelContext& context, const Body& body, std::int64_t width = 256) const {
        const std::int64_t tiles = (inner + width - 1) / width, jobs = outer * tiles,
                           cost = length * std::min(inner, width);
        const auto range = [&](std::int64_t begin, std::int64_t end, int worker) {
            for (std::int64_t job = begin; job < end; ++job) {
                const std::int64_t first = job % tiles * width;
                body(job / tiles, first, std::min(width, inner - first), worker);
            }
        };
        const std::int64_t grain = std::max<std::int64_t>(1, cheap_grain / cost);
        if (jobs <= grain) return range(0, jobs, 0);
        context.threads().parallel_tasks(
            (jobs + grain - 1) / grain, [&](std::int64_t task, int worker) {
                context.cancel().throw_if_cancelled();
                range(task * grain, std::min(jobs, (task + 1) * grain), worker);
            });
    }
};

}  // namespace lapidary
