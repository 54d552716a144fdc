// SPDX-License-Identifier: Apache-2.0
// The kernel of window_clusters.h, for windows of more than one pixel.
#pragma once

#include "kernels/hopper/small_block.cuh"
#include "kernels/hopper/window_clusters.h"
#include "kernels/hopper/window_steps.cuh"

namespace lapidary::cuda {

/// Copies rows of a tile that are windows.
class WindowRows {
public:
    GPU_METHOD WindowRows(const WindowSteps& windows, const TileMap& map,
                          const SmallGroupPart& part)
        : map_(map), copies_(windows, part.place.row) {
        copies_.begin_at(part.begin / WindowSteps::channels);
    }
    GPU_METHOD const TileMap& map() const { return map_; }
    GPU_METHOD void copy(void* to, const SmallGroupPart&, int, barrier_t* full) {
        copies_.copy(to, map_, full);
    }

private:
    const TileMap& map_;
    WindowCopies copies_;
};

/// Operands of the product: `x`, as windows in tiles of small_group::copied_rows() rows, and `w`
/// [k, n] in tiles of 64 x 64.
template <typename Sync = SmallGroupSync>
GPU_GLOBAL void GPU_BLOCKS_OF(group_threads, 2)
    window_clusters(ProductArgs args, WindowSteps windows, GPU_TILE_MAP x, GPU_TILE_MAP w,
                    int stages) {
    GPU_SHARED_MEMORY(memory);
    const SmallGroupRing ring(memory, stages);
    const int along_rows = (args.m - 1) / SmallGroupTile::size + 1,
              along_columns = (args.n - 1) / SmallGroupTile::size + 1;
    const TilePlace tile = tile_place(static_cast<int>(block_x()), along_rows, along_columns);
    const SmallGroupPart of_block =
        small_group_part(args, 0, tile, along_columns, static_cast<int>(block_z()));
    small_group_block<half_t, false, WindowRows, Sync>(args, of_block, 0,
                                                       WindowRows(windows, x, of_block), w, ring);
}

/// The arguments of the kernel beside the product.
struct WindowClusterCall {
    WindowSteps windows;
    TileMap x, w;
    std::int32_t stages;
    Grid grid;
};

inline WindowClusterCall window_cluster_call(const ConvolutionArgs& args,
                                             const ProductArgs& product) {
    using namespace small_group;
    WindowShape shape = window_shape_of(args);
    shape.tile_windows = copied_rows(product);
    const auto tiles = static_cast<unsigned>(tiles_of(product)),
               parts = static_cast<unsigned>(product.parts);
    const std::int32_t stages =
        stages_of((product.part_depth - 1) / depth_unit + 1, static_cast<long long>(tiles) * parts);
    return {window_steps_of(args), make_window_map(shape),
            make_tile_map(
                {args.w, product.k, product.n, std::int64_t{product.n} * 2, depth_unit, tile}),
            std::min(stages, most_window_stages), Grid{tiles, 1, parts}};
}

}  // namespace lapidary::cuda
