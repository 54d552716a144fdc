// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/split_rate.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "kernels/vector/product/product.h"

namespace lapidary {
namespace {

constexpr std::int64_t trial_inner = 128;
/// Other programs can only slow a try down: the best one counts.
constexpr int trials = 16;

/// Seconds of the best try.
template <typename Work>
double best_time(const Work& work) {
    using Clock = std::chrono::steady_clock;
    work();
    double best = 1e9;
    for (int i = 0; i < trials; ++i) {
        const auto start = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

}  // namespace

bool splitting_is_faster(const SplitTileKernels& kernels) {
    static const bool is_faster = [&] {
        const ProductKernels& floats = product_kernels();
        constexpr std::int64_t side = split_tiles::most_rows, widest = 64;
        // zeros; not on the heap, since the first run of a session may come here
        alignas(64) static float a[side * trial_inner], b[widest * trial_inner], c[side * widest];
        alignas(64) static std::uint16_t left[split_tiles::left_elements(side, trial_inner)],
            right[split_tiles::right_elements(side, trial_inner)];
        SplitTile split;
        split.rows = static_cast<int>(side);
        split.columns = split.c_stride = side;
        split.steps = split.right_steps = split_tiles::steps(trial_inner);
        split.left = left;
        split.right = right;
        split.c = c;
        ProductTile tile;
        tile.inner = tile.a_stride = trial_inner;
        tile.columns = tile.b_stride = tile.c_stride = floats.panel_columns;
        tile.a = a;
        tile.b = b;
        tile.c = c;
        tile.rows = floats.tile_rows;
        const double by_tiles = best_time([&] { kernels.multiply(split); }),
                     by_floats = best_time([&] { floats.multiply(tile); });
        // of one sum
        return by_tiles / static_cast<double>(side * side) <
               by_floats / static_cast<double>(floats.tile_rows * floats.panel_columns);
    }();
    return is_faster;
}

}  // namespace lapidary
