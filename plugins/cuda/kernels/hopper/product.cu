// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/product.h"

#include "kernels/hopper/tile_product.cuh"
#include "kernels/tile_product.cuh"

namespace lapidary::cuda {
namespace {

struct alignas(4) Pair {
    half_t of[2];
};

GPU_GLOBAL void product_groups(ProductArgs args, GPU_TILE_MAP a, GPU_TILE_MAP b) {
    kernel_begin();
    half_t* const y = static_cast<half_t*>(args.y);
    const auto store = [&](int row, int column, float first, float second) {
        if (row >= args.m || column >= args.n) return;
        const long long at = static_cast<long long>(row) * args.n + column;
        const bool has_second = column + 1 < args.n;
        const float low = finished<half_t>(args.epilogue, first, row, column, at);
        const float high = has_second ? finished<half_t>(args.epilogue, second, row, column + 1, at + 1) : 0.0f;
        if (has_second && args.n % 2 == 0) {
            Pair pair;
            store_element(pair.of, low);
            store_element(pair.of + 1, high);
            *reinterpret_cast<Pair*>(y + at) = pair;
            return;
        }
        store_element(y + at, low);
        if (has_second) store_element(y + at + 1, high);
    };
    tile_product_groups(static_cast<int>(block_y()) * group_tile, static_cast<int>(block_x()) * group_tile, args.k, a,
                        b, store);
}

unsigned tiles(int size) { return static_cast<unsigned>((size + group_tile - 1) / group_tile); }

}  // namespace

bool is_for_hopper(const ProductArgs& args) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    return args.type == 10 && args.batch == 1 && args.m > 64 && args.k > 0 && args.a_column == 1 &&
           args.b_column == 1 && address % 16 == 0 && (args.a_row | args.b_row) % 8 == 0;
}

void launch_hopper_product(Queue& queue, const ProductArgs& args) {
    const TileMap a = make_tile_map({args.a, args.m, args.k, std::int64_t{args.a_row} * 2, group_tile, group_depth});
    const TileMap b =
        make_tile_map({args.b, args.k, args.n, std::int64_t{args.b_row} * 2, group_depth, group_tile / 2});
    const Grid grid{tiles(args.n), tiles(args.m), 1};
    GPU_LAUNCH_SHARED(product_groups, grid, group_threads, group_shared_bytes, queue, args, a, b);
}

}  // namespace lapidary::cuda
