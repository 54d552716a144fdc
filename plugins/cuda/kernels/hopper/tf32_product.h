// SPDX-License-Identifier: Apache-2.0
// Products of floats in TF32 for compute capability 9.0, with tiles of four sizes. The small ones
// are split along k where that is faster.
#pragma once

#include <algorithm>

#include "kernels/product/product.h"

namespace lapidary::cuda {

struct Tf32Tiles {
    std::int32_t m = 128, n = 128;
    bool splits = false;
};
struct Tf32Plan {
    Tf32Tiles tiles;
    ProductSplit split;
};

namespace tf32_plan_of {

inline constexpr Tf32Tiles candidates[] = {
    {256, 128, false}, {128, 128, false}, {128, 64, false}, {64, 64, true}};
inline constexpr long long multiprocessors = 132;
inline constexpr std::int32_t depth_unit = 32, least_depth = 96, most_parts = 12;

inline long long tiles_of(const ProductArgs& args, const Tf32Tiles& c) {
    return static_cast<long long>(args.batch) * ((args.m - 1) / c.m + 1) * ((args.n - 1) / c.n + 1);
}

/// Splits k into `parts` parts of whole stages; into one where that would be too many.
inline ProductSplit in_parts(const ProductArgs& args, const Tf32Tiles& c, std::int32_t parts) {
    const std::int32_t of_part = (args.k + parts - 1) / parts;
    const std::int32_t depth =
        std::max((of_part + depth_unit - 1) / depth_unit * depth_unit, least_depth);
    const std::int32_t found = (args.k + depth - 1) / depth;
    if (found != parts || found == 1) return {1, args.k, 0};
    return {found, depth, 4LL * found * tiles_of(args, c) * c.m * c.n};
}

/// The estimated time in clocks of a multiprocessor, as in product_plan.h.
inline double clocks_of(const ProductArgs& args, const Tf32Tiles& c, const ProductSplit& split) {
    constexpr double of_launch = 1500, of_parts = 2500, bytes_of_one = 48, bytes_of_all = 4500,
                     products = 700;
    const long long blocks = tiles_of(args, c) * split.parts,
                    of_busiest = (blocks - 1) / multiprocessors + 1;
    // in halves of a tile: stores that do not overlap with multiplications
    const long long stored = c.m == 256 ? 2 * of_busiest : of_busiest + 1;
    const double results = c.m * c.n, bytes = 4.0 * (c.m + c.n) * split.part_depth;
    const auto busiest = static_cast<double>(of_busiest);
    const double read = std::max(busiest * bytes / bytes_of_one,
                                 static_cast<double>(blocks) * bytes / bytes_of_all);
    const double multiplied = busiest * results * split.part_depth / products;
    const double added = split.parts == 1 ? 0 : of_parts + split.parts * results * 4 / bytes_of_one;
    return of_launch + std::max(read, multiplied) + static_cast<double>(stored) * results / 16 +
           added;
}

}  // namespace tf32_plan_of

/// The plan; depends only on the shape. The blocks add up the parts themselves, using
/// args.counters.
inline Tf32Plan tf32_plan(const ProductArgs& args) {
    using namespace tf32_plan_of;
    Tf32Plan best;
    double least = 0;
    for (const Tf32Tiles& c : candidates)
        for (std::int32_t parts = 1;
             parts <= (c.splits && tiles_of(args, c) <= counter_count ? most_parts : 1); ++parts) {
            const ProductSplit split = in_parts(args, c, parts);
            if (split.parts != parts) continue;
            const double clocks = clocks_of(args, c, split);
            if (least != 0 && clocks >= least) continue;
            least = clocks;
            best = {c, split};
        }
    return best;
}

/// For a product that hopper_refusal() accepts: true where at least half of a tile's rows and
/// columns exist and the product is large enough to matter.
inline bool is_worth_tf32_groups(const ProductArgs& args) {
    return args.m >= 32 && args.n >= 32 &&
           static_cast<double>(args.m) * args.n * args.k * args.batch >= 1 << 23;
}

/// args: split as tf32_plan() says, with memory for the sums.
void launch_tf32_product(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
