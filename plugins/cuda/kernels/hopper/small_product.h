// SPDX-License-Identifier: Apache-2.0
// Products with few tiles for compute capability 9.0: tiles of 64 x 64, split along k where that takes less time.
#pragma once

#include <algorithm>

#include "kernels/product.h"

namespace lapidary::cuda {
namespace small_group {

inline constexpr std::int32_t tile = 64, depth_unit = 64, results = tile * tile;

inline long long tiles_of(const ProductArgs& args) {
    return static_cast<long long>(args.batch) * ((args.m - 1) / tile + 1) * ((args.n - 1) / tile + 1);
}

/// So many parts, of whole stages; parts 1 where so many are too many.
inline ProductSplit in_parts(const ProductArgs& args, std::int32_t parts) {
    const std::int32_t of_part = (args.k + parts - 1) / parts;
    const std::int32_t depth = (of_part + depth_unit - 1) / depth_unit * depth_unit;
    const std::int32_t found = (args.k + depth - 1) / depth;
    if (found != parts || found == 1) return {1, args.k, 0};
    return {found, depth, 4 * found * tiles_of(args) * results};
}

/// What it takes, estimated in clocks of a multiprocessor, as product_plan.h does.
inline double clocks_of(const ProductArgs& args, const ProductSplit& split) {
    constexpr double of_launch = 1500, of_parts = 2500, bytes_of_one = 48, bytes_of_all = 3000;
    constexpr long long multiprocessors = 132;
    const long long blocks = tiles_of(args) * split.parts, of_busiest = (blocks - 1) / multiprocessors + 1;
    const double bytes = 2.0 * tile * 2 * split.part_depth;
    const double read = std::max(static_cast<double>(of_busiest) * bytes / bytes_of_one,
                                 static_cast<double>(blocks) * bytes / bytes_of_all);
    const double added = split.parts == 1 ? 0 : of_parts + split.parts * results * 4 / bytes_of_one;
    return of_launch + read + static_cast<double>(of_busiest) * results / 16 + added;
}

}  // namespace small_group

/// As the blocks add them up, which args.counters is for; no bytes of sums for one part.
inline ProductSplit small_group_split(const ProductArgs& args) {
    using namespace small_group;
    constexpr std::int32_t most_parts = 12;
    ProductSplit best{1, args.k, 0};
    if (tiles_of(args) > counter_count) return best;
    for (std::int32_t parts = 2; parts <= most_parts; ++parts) {
        const ProductSplit split = in_parts(args, parts);
        if (split.parts > 1 && clocks_of(args, split) < clocks_of(args, best)) best = split;
    }
    return best;
}


/// args: split as small_group_split() says, with memory for the sums.
void launch_small_group_product(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
