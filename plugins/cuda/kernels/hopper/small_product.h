// SPDX-License-Identifier: Apache-2.0
// Products with few tiles for compute capability 9.0: tiles of 64 x 64, split along k among the
// blocks of a cluster where that is faster.
#pragma once

#include <algorithm>
#include <span>

#include "kernels/product/product.h"

namespace lapidary::cuda {
namespace small_group {

inline constexpr std::int32_t tile = 64, depth_unit = 64;
inline constexpr unsigned operand_bytes = tile * depth_unit * 2, barrier_bytes = 256;
// The maxima are even because two warpgroups take turns. With more than most_stages_of_two stages a
// block has a multiprocessor to itself.
inline constexpr std::int32_t least_stages = 3, most_stages_of_two = 6, most_stages = 12;
inline constexpr long long multiprocessors = 132;
inline constexpr std::int32_t part_counts[] = {1, 2, 3, 4, 5, 6, 8};

inline long long tiles_of(const ProductArgs& args) {
    return static_cast<long long>(args.batch) * ((args.m - 1) / tile + 1) *
           ((args.n - 1) / tile + 1);
}
/// Rows of a tile of a that are copied.
inline std::int32_t copied_rows(const ProductArgs& args) {
    return args.m >= tile ? tile : (args.m + 7) / 8 * 8;
}

/// Stages of each of `blocks` blocks. Where each block has a multiprocessor, every step gets a
/// stage. Then a multiprocessor has no room for a second block, and blocks of overlapping kernels
/// spread over all multiprocessors.
inline std::int32_t stages_of(std::int32_t steps, long long blocks) {
    return std::clamp(steps, least_stages,
                      blocks > multiprocessors ? most_stages_of_two : most_stages);
}
inline unsigned shared_bytes(std::int32_t stages, std::int32_t parts) {
    const int of_sums = parts == 1 ? 0 : parts * ((tile - 1) / parts + 1) * tile * 4;
    return static_cast<unsigned>(stages) * 2 * operand_bytes + barrier_bytes +
           static_cast<unsigned>(of_sums);
}

// shared memory of a block with compute capability 9.0
inline constexpr unsigned most_shared_bytes = 227u << 10;

/// Splits k into `parts` parts of whole stages; into one where that would be too many.
inline ProductSplit in_parts(const ProductArgs& args, std::int32_t parts) {
    const std::int32_t of_part = (args.k + parts - 1) / parts;
    const std::int32_t depth = (of_part + depth_unit - 1) / depth_unit * depth_unit;
    const std::int32_t found = (args.k + depth - 1) / depth;
    if (found != parts || found == 1) return {1, args.k, 0};
    return {found, depth, 0};
}

/// The estimated time in clocks of a multiprocessor, as in product_plan.h. b is usually constant,
/// so most of what the stages hold of it is loaded before the kernel begins.
inline double clocks_of(const ProductArgs& args, const ProductSplit& split) {
    constexpr double of_launch = 1500, of_cluster = 700, bytes_of_one = 48, bytes_of_all = 3000,
                     sums_of_one = 32;
    constexpr double multiplied_of_step = 130, not_early = 0.25;
    const long long blocks = tiles_of(args) * split.parts,
                    of_busiest = (blocks - 1) / multiprocessors + 1;
    const std::int32_t steps = (split.part_depth - 1) / depth_unit + 1,
                       early = std::min(steps, stages_of(steps, blocks));
    const double bytes =
        128.0 * (copied_rows(args) * steps + tile * (steps - early + early * not_early));
    const auto busiest = static_cast<double>(of_busiest);
    const double read = std::max({busiest * bytes / bytes_of_one,
                                  static_cast<double>(blocks) * bytes / bytes_of_all,
                                  busiest * steps * multiplied_of_step});
    const double sums = busiest * copied_rows(args) * tile;
    const double stored = sums / split.parts / 16,
                 added = split.parts == 1 ? 0 : of_cluster + sums * 4 / sums_of_one;
    return of_launch + read + stored + added;
}

}  // namespace small_group

/// The best of these splits. It needs no memory for sums: blocks of a cluster send them to each
/// other.
inline ProductSplit small_group_split(
    const ProductArgs& args, std::span<const std::int32_t> counts = small_group::part_counts) {
    using namespace small_group;
    ProductSplit best{1, args.k, 0};
    for (std::int32_t parts : counts) {
        const ProductSplit split = in_parts(args, parts);
        if (split.parts > 1 && clocks_of(args, split) < clocks_of(args, best)) best = split;
    }
    return best;
}

/// args: split as small_group_split() says.
void launch_small_group_product(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
