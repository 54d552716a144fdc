// SPDX-License-Identifier: Apache-2.0
// The main loop of products of halves that lie in pieces of 16 bytes: tiles come by asynchronous copies, one stage
// while the other is multiplied. a is [m, k] and b [k, n], both packed along their last axis; k and n are multiples
// of 8.
#pragma once

#include "kernels/tile_product.cuh"

namespace lapidary::cuda {

/// a_at(row, k) and b_at(k, column) give where 8 halves lie, null where they are zero.
template <typename A, typename B, typename Store, typename Sync = AllSync>
GPU_DEVICE void tile_product_async(int row0, int column0, int k, const half_t* any, const A& a_at, const B& b_at,
                                   const Store& store, const Sync& sync = Sync()) {
    constexpr int depth = 32, a_pitch = depth + 8, b_pitch = mma_tile + 8, piece = 8;
    GPU_SHARED_16 half_t as[2][mma_tile * a_pitch];
    GPU_SHARED_16 half_t bs[2][depth * b_pitch];
    const int thread = static_cast<int>(thread_index()), lane = thread % 32, warp = thread / 32;
    const int first_row = warp / 2 * 32, first_column = warp % 2 * 32, group = lane / 4, word = lane % 4 * 2;
    const auto fetch = [&](int stage, int at) {
        for (int i = thread; i < mma_tile * depth / piece; i += static_cast<int>(mma_threads)) {
            const int r = i / (depth / piece), d = i % (depth / piece) * piece;
            const half_t* const from = a_at(row0 + r, at + d);
            copy_async16(&as[stage][r * a_pitch + d], from ? from : any, from != nullptr);
        }
        for (int i = thread; i < mma_tile * depth / piece; i += static_cast<int>(mma_threads)) {
            const int d = i / (mma_tile / piece), c = i % (mma_tile / piece) * piece;
            const half_t* const from = b_at(at + d, column0 + c);
            copy_async16(&bs[stage][d * b_pitch + c], from ? from : any, from != nullptr);
        }
        copy_commit();
    };
    const auto pair = [](const half_t* low, const half_t* high) {
        const half_t h[2] = {*low, *high};
        std::uint32_t both;
        memcpy(&both, h, 4);
        return both;
    };
    float sum[2][4][4] = {};
    fetch(0, 0);
    for (int at = 0, stage = 0; at < k; at += depth, stage ^= 1) {
        if (at + depth < k) fetch(stage ^ 1, at + depth);
        else copy_commit();
        sync.template copied<1>();
        sync.filled();
        GPU_UNROLL for (int step = 0; step < depth; step += 16) {
            std::uint32_t fa[2][4], fb[4][2];
            GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) {
                const half_t* const from =
                    &as[stage][(first_row + i * 16 + group + j % 2 * 8) * a_pitch + step + word + j / 2 * 8];
                fa[i][j] = pair(from, from + 1);
            }
            GPU_UNROLL for (int i = 0; i < 4; ++i) GPU_UNROLL for (int j = 0; j < 2; ++j) {
                const half_t* const from = &bs[stage][(step + word + j * 8) * b_pitch + first_column + i * 8 + group];
                fb[i][j] = pair(from, from + b_pitch);
            }
            GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j)
                mma_f16(sum[i][j], fa[i], fb[j]);
        }
        sync.read();
    }
    GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) GPU_UNROLL for (int e = 0; e < 4; ++e)
        store(row0 + first_row + i * 16 + group + e / 2 * 8, column0 + first_column + j * 8 + word + e % 2,
              sum[i][j][e]);
}

}  // namespace lapidary::cuda
