// SPDX-License-Identifier: Apache-2.0
// Estimates the time of products in pieces by tiles and parts, in clocks of a multiprocessor. The
// constants are measured for compute capability 9.0.
#pragma once

#include <algorithm>

#include "kernels/product/product_async.h"

namespace lapidary::cuda {
/// Constants of the estimate.
namespace plan {

inline constexpr long long multiprocessors = 132;
// clocks: from the launch to the first copy, and after the last store
inline constexpr double of_launch = 1500;
// clocks: until all parts are known to be complete
inline constexpr double of_parts = 2500;
// bytes per clock from the device's cache: for one multiprocessor, for all together
inline constexpr double bytes_of_one = 48, bytes_of_all = 3000;
inline constexpr std::int32_t depth_unit = 64, least_depth = 128;  // of parts
inline constexpr std::int32_t most_parts = 12;

struct Candidate {
    AsyncSize size;
    std::int32_t rows, columns;
    // products of halves per clock: of a block alone, of blocks that share a multiprocessor
    double alone, together;
    bool splits, is_for_three;
};
inline constexpr Candidate candidates[] = {
    {AsyncSize::of_32x32, 32, 32, 250, 450, true, true},
    {AsyncSize::of_64x64, 64, 64, 600, 620, true, true},
    {AsyncSize::of_128x64, 128, 64, 350, 800, false, true},
    {AsyncSize::of_128x128, 128, 128, 520, 1000, false, false}};

/// How much slower than halves the elements are multiplied. Small tiles also wait for the rounding
/// to TF32.
inline double slowness_of(const ProductArgs& args, Arithmetic arithmetic, const Candidate& c) {
    if (args.type != 1) return 1;
    if (arithmetic == Arithmetic::tf32x3) return 6;
    return c.rows < 128 ? 3 : 2;
}

inline long long tiles_of(const ProductArgs& args, const Candidate& c) {
    return static_cast<long long>(args.batch) * ((args.m - 1) / c.rows + 1) *
           ((args.n - 1) / c.columns + 1);
}

inline double clocks_of(const ProductArgs& args, const Candidate& c, std::int32_t parts,
                        std::int32_t depth, double slowness) {
    const double blocks = static_cast<double>(tiles_of(args, c) * parts),
                 results = c.rows * c.columns;
    const double bytes = static_cast<double>(c.rows + c.columns) * depth * (args.type == 1 ? 4 : 2);
    const auto of_busiest =
        static_cast<double>((static_cast<long long>(blocks) - 1) / multiprocessors + 1);
    const double multiplied =
        of_busiest * results * depth * slowness / (of_busiest < 2 ? c.alone : c.together);
    const double read = std::max(of_busiest * bytes / bytes_of_one, blocks * bytes / bytes_of_all);
    const double stored = of_busiest * results / 16;
    const double added = parts == 1 ? 0 : of_parts + parts * results * 4 / bytes_of_one;
    return of_launch + std::max(multiplied, read) + stored + added;
}

}  // namespace plan

/// True where tensor cores can multiply the elements, a lies along k and b along its columns or
/// along k, both in pieces.
inline bool is_for_async(const ProductArgs& args, Arithmetic arithmetic) {
    const bool are_floats = args.type == 1;
    if (are_floats && arithmetic != Arithmetic::tf32 && arithmetic != Arithmetic::tf32x3)
        return false;
    const int per = are_floats ? 4 : 8;
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    const bool b_along_n = is_along_n(args, per);
    int odd = args.k | args.a_row | (b_along_n ? args.b_row : args.b_column);
    for (int axis = 0; axis < args.batch_rank; ++axis)
        odd |= args.a_batch[axis] | args.b_batch[axis];
    return args.a_column == 1 && (b_along_n || args.b_row == 1) && address % 16 == 0 &&
           odd % per == 0;
}

/// The plan with the least estimated time on a device with many multiprocessors; depends only on
/// the shape.
inline AsyncPlan async_plan(const ProductArgs& args, Arithmetic arithmetic) {
    using namespace plan;
    AsyncPlan best;
    double least = 0;
    for (const Candidate& c : candidates) {
        if (!c.is_for_three && arithmetic == Arithmetic::tf32x3 && args.type == 1) continue;
        const double slowness = slowness_of(args, arithmetic, c);
        const long long tiles = tiles_of(args, c);
        const bool can_split = c.splits && tiles <= multiprocessors / 2;
        for (std::int32_t wanted = 1; wanted <= (can_split ? most_parts : 1); ++wanted) {
            const std::int32_t of_part = (args.k + wanted - 1) / wanted;
            const std::int32_t depth =
                wanted == 1 ? args.k : (of_part + depth_unit - 1) / depth_unit * depth_unit;
            if (wanted > 1 && depth < least_depth) break;
            const std::int32_t parts = wanted == 1 ? 1 : (args.k + depth - 1) / depth;
            if (parts != wanted) continue;
            const double clocks = clocks_of(args, c, parts, depth, slowness);
            if (least != 0 && clocks >= least) continue;
            least = clocks;
            best = {c.size, c.rows, c.columns, {parts, depth, 0}};
            if (parts > 1) best.split.partial_bytes = 4LL * parts * tiles * c.rows * c.columns;
        }
    }
    return best;
}

}  // namespace lapidary::cuda
