// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/winograd_cost.h"

#include <algorithm>

namespace lapidary::winograd {
namespace {

constexpr double weight_bytes_per_us = 30e3;     // streamed from memory by one core
constexpr double transform_bytes_per_us = 50e3;  // V and M, written and read through L2
// expected gain from which the larger error is worth it
constexpr double advantage = 1.1;

double operations_per_us(Isa isa) {
    switch (isa) {
    case Isa::baseline: return 20e3;
    case Isa::avx2: return 95e3;
    default: return 190e3;
    }
}

std::int64_t tiles_of(const Problem& p, std::int64_t m) {
    return p.images * ((p.output_height + m - 1) / m) * ((p.output_width + m - 1) / m);
}

}  // namespace

double expected_us(const Problem& p, std::int64_t m, Isa isa) {
    const auto filters = static_cast<double>(p.inputs) * static_cast<double>(p.outputs);
    const auto positions =
        static_cast<double>(m == 0 ? p.images * p.output_height * p.output_width : tiles_of(p, m));
    const auto products = static_cast<double>(m == 0 ? 9 : (m + 2) * (m + 2));
    // Few tiles leave each part of the weights little to do while it is in registers.
    const double efficiency = m == 0 ? 1.0 : std::min(1.0, 0.4 + positions / 60);
    const double compute =
        2 * products * positions * filters / (operations_per_us(isa) * efficiency);
    const double weights = 4 * products * filters / weight_bytes_per_us;
    const double moved = m == 0 ? 0
                                : 2 * 4 * products * positions *
                                      static_cast<double>(p.inputs + p.outputs) /
                                      transform_bytes_per_us;
    return std::max(compute, weights) + moved;
}

std::int64_t best_tile(const Problem& p, Isa isa) {
    std::int64_t best = 0;
    double least = expected_us(p, 0, isa) / advantage;
    for (const std::int64_t m : {std::int64_t{4}, std::int64_t{2}})
        if (const double us = expected_us(p, m, isa); us < least) {
            best = m;
            least = us;
        }
    return best;
}

std::int64_t tiles_at_once(const Problem& p, std::int64_t m) {
    const std::int64_t products = (m + 2) * (m + 2), all = tiles_of(p, m);
    const auto l2 = static_cast<std::int64_t>(cache_sizes().l2);
    const std::int64_t weights = 4 * products * p.inputs * p.outputs,
                       per_tile = 4 * products * (p.inputs + p.outputs);
    // A small U stays beside the tiles; a large one is streamed past as many tiles as fit twice
    // over.
    const std::int64_t room =
        weights < l2 * 2 / 3 ? std::max(l2 - weights, l2 / 4) * 3 / 4 : l2 * 3 / 2;
    std::int64_t count = std::clamp<std::int64_t>(room / per_tile, 14, 112);
    if (count >= 14) count = count / 14 * 14;
    if (count >= all || all <= 28) return all;
    // Groups of one size.
    const std::int64_t groups = (all + count - 1) / count;
    return (all + groups - 1) / groups;
}

}  // namespace lapidary::winograd
