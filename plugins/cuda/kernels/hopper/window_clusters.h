// SPDX-License-Identifier: Apache-2.0
// Convolutions of halves with channels last and few pixels, for compute capability 9.0: a variant
// of convolution_tiles.h whose results differ only by the order of sums. The parts of a tile are
// the blocks of a cluster, which add their sums in shared memory. So neither sums of parts nor
// counters are in global memory.
#pragma once

#include "kernels/hopper/product.h"
#include "kernels/hopper/small_product.h"
#include "kernels/hopper/window_groups.h"

namespace lapidary::cuda {

/// Blocks of a cluster relative to the estimated best number, for measurements.
enum class ClusterSize : std::uint8_t { estimated, half, twice };

/// The convolution as a product over all pixels of the output. It is split into a number of parts
/// for which clusters fill a group of 16 multiprocessors exactly; into one part where that is not
/// possible.
inline ProductArgs product_of_windows(const ConvolutionArgs& args,
                                      ClusterSize size = ClusterSize::estimated) {
    constexpr std::int32_t part_counts[] = {1, 2, 4, 8}, most_parts = 8;
    const Window& win = args.window;
    ProductArgs product;
    product.a = args.x;
    product.b = args.w;
    product.y = args.y;
    product.has_constant_b = args.has_constant_weight;
    product.type = args.type;
    product.m = rows_of_window_groups(args);
    product.n = args.filters;
    product.k = args.channels * win.kernel[1] * win.kernel[2];
    product.a_row = product.k;  // for windows of one pixel
    product.b_row = args.filters;
    product.epilogue = args.epilogue;
    ProductSplit split = small_group_split(product, part_counts);
    if (size == ClusterSize::half)
        split = small_group::in_parts(product, std::max(split.parts / 2, 1));
    if (size == ClusterSize::twice)
        split = small_group::in_parts(product, std::min(split.parts * 2, most_parts));
    product.parts = split.parts;
    product.part_depth = split.part_depth;
    return product;
}

/// Whether the kernels can compute it. Windows of more than one pixel have the conditions of
/// window_groups.h. Windows of one pixel are plain products, which only need channels in whole
/// pieces.
inline bool can_be_window_clusters(const ConvolutionArgs& args) {
    const Window& win = args.window;
    if (window_groups_refusal(args) == nullptr) return true;
    bool is_flat = is_flat_window(win) && args.type == 10 && args.channels_last && args.groups == 1;
    is_flat = is_flat && win.input[0] == 1 && win.output[0] == 1 && win.kernel[0] == 1 &&
              args.filters % 8 == 0;
    for (const std::int32_t size : args.spread) is_flat = is_flat && size == 1;
    return is_flat && args.channels > 0 && hopper_refusal(product_of_windows(args)) == nullptr;
}

/// Most stages of a block. A block with so many can share a multiprocessor with a block of four
/// stages, the usual number, so that one can start while the other's kernel runs.
inline constexpr std::int32_t most_window_stages = 8;

/// Whether to use it on such a device: not where `use` selects window_groups.h, and not where there
/// are more tiles of 64 x 64 than multiprocessors hold at once.
inline bool is_for_window_clusters(const ConvolutionArgs& args, HopperUse use) {
    if (use == HopperUse::none || !can_be_window_clusters(args) || is_for_window_groups(args, use))
        return false;
    const ProductArgs product = product_of_windows(args);
    return product.m >= 8 && small_group::tiles_of(product) <= 2 * small_group::multiprocessors;
}

/// For a convolution that is_for_window_clusters() accepts.
void launch_window_clusters(Queue& queue, const ConvolutionArgs& args,
                            ClusterSize size = ClusterSize::estimated);

}  // namespace lapidary::cuda
