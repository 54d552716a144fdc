// SPDX-License-Identifier: Apache-2.0
// The main loop of products of 16-bit floats that lie in pieces of 16 bytes: tiles come by asynchronous copies through
// a ring of stages, while warps multiply those that are there. a is [m, k], along k; b [k, n] along its columns, or
// along k.
#pragma once

#include "kernels/tile_product.cuh"

namespace lapidary::cuda {

/// Results of a block of four warps and of one warp, stages of the ring, which take less than 48 kB, and blocks of a
/// multiprocessor.
template <int tile_m, int tile_n, int of_warp_m, int of_warp_n, int ring, int at_once>
struct AsyncTile {
    static constexpr int m = tile_m, n = tile_n, warp_m = of_warp_m, warp_n = of_warp_n, stages = ring;
    static constexpr int blocks = at_once;
    static constexpr int depth = 32, piece = 8, warps_along_n = n / warp_n;  // depth: along k, of a stage
    static constexpr int threads = 32 * (m / warp_m) * warps_along_n, pitch = n + 4;
    static_assert(threads == 128 && warp_m % 16 == 0 && warp_n % 16 == 0);
};
using AsyncLarge = AsyncTile<128, 64, 64, 32, 3, 3>;  // the fewest bytes of shared memory for a product
using AsyncSmall = AsyncTile<64, 64, 32, 32, 4, 4>;   // more blocks

/// Sums of the tile that a thread has.
template <typename Tile>
struct AsyncSums {
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 8;
    float of[along_m][along_n][4] = {};

    /// As a matrix of rows Tile::pitch apart.
    GPU_METHOD void store(float* to) const {
        const int lane = static_cast<int>(thread_index()) % 32, warp = static_cast<int>(thread_index()) / 32;
        const int row = warp / Tile::warps_along_n * Tile::warp_m + lane / 4;
        const int column = warp % Tile::warps_along_n * Tile::warp_n + lane % 4 * 2;
        GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int j = 0; j < along_n; ++j)
            GPU_UNROLL for (int e = 0; e < 4; ++e)
                to[(row + i * 16 + e / 2 * 8) * Tile::pitch + column + j * 8 + e % 2] = of[i][j][e];
    }
};

/// Runs use(row, column) for the thread's share of the tile, four neighbours of a row at a time.
template <typename Tile, typename Use>
GPU_DEVICE void for_quads(const Use& use) {
    constexpr int along = Tile::n / 4;
    GPU_UNROLL_4 for (int i = static_cast<int>(thread_index()); i < Tile::m * along; i += Tile::threads)
        use(i / along, i % along * 4);
}

/// Fragments of a warp from a stage: words of b lie along its columns, and are turned, or along k.
template <typename Multiply, typename Tile, bool b_along_k, typename T>
GPU_DEVICE void multiply_stage(AsyncSums<Tile>& sums, const T* as, const T* bs) {
    constexpr int a_pitch = Tile::depth + 8, b_pitch = (b_along_k ? Tile::depth : Tile::n) + 8;
    const int lane = static_cast<int>(thread_index()) % 32, warp = static_cast<int>(thread_index()) / 32;
    const int first_row = warp / Tile::warps_along_n * Tile::warp_m;
    const int first_column = warp % Tile::warps_along_n * Tile::warp_n;
    GPU_UNROLL for (int step = 0; step < Tile::depth; step += 16) {
        std::uint32_t fa[AsyncSums<Tile>::along_m][4], fb[AsyncSums<Tile>::along_n][2];
        GPU_UNROLL for (int i = 0; i < AsyncSums<Tile>::along_m; ++i)
            load_matrices(fa[i], as + (first_row + i * 16 + lane % 16) * a_pitch + step + lane / 16 * 8);
        GPU_UNROLL for (int j = 0; j < AsyncSums<Tile>::along_n; j += 2) {
            std::uint32_t r[4];
            if constexpr (b_along_k) {
                const int column = first_column + j * 8 + lane % 8 + lane / 16 * 8;
                load_matrices(r, bs + column * b_pitch + step + lane / 8 % 2 * 8);
            } else {
                const int column = first_column + j * 8 + lane / 16 * 8;
                load_matrices_turned(r, bs + (step + lane % 16) * b_pitch + column);
            }
            GPU_UNROLL for (int e = 0; e < 4; ++e) fb[j + e / 2][e % 2] = r[e];
        }
        GPU_UNROLL for (int i = 0; i < AsyncSums<Tile>::along_m; ++i)
            GPU_UNROLL for (int j = 0; j < AsyncSums<Tile>::along_n; ++j)
                Multiply::multiply(sums.of[i][j], fa[i], fb[j]);
    }
}

/// a.seek(k) goes to a place along k, and a.at(row) gives where 8 elements from there on lie of a row of the tile;
/// b(k, column) where those of b lie from there on. Null: they are zero. `any`: at a multiple of 16 bytes, not read.
/// The one meeting in a round says that a stage has come, and that the stage before it may be overwritten. Gives the
/// tile's sums in shared memory, rows Tile::pitch apart; the block meets before it begins the next tile.
template <typename Multiply, typename Tile, bool b_along_k, typename T, typename A, typename B,
          typename Sync = AllSync>
GPU_DEVICE const float* tile_product_async(int k, const T* any, A& a, const B& b, const Sync& sync = Sync()) {
    constexpr int depth = Tile::depth, piece = Tile::piece, stages = Tile::stages;
    constexpr int b_rows = b_along_k ? Tile::n : depth, b_row = b_along_k ? depth : Tile::n;
    constexpr int a_pitch = depth + 8, b_pitch = b_row + 8;  // rows that are read together are in different banks
    constexpr int a_size = Tile::m * a_pitch, b_size = b_rows * b_pitch;
    GPU_SHARED_16 unsigned char ring[stages * (a_size + b_size) * 2];
    static_assert(sizeof(T) == 2 && sizeof(ring) >= Tile::m * Tile::pitch * sizeof(float));
    T* const as = reinterpret_cast<T*>(ring);
    T* const bs = as + stages * a_size;
    AsyncSums<Tile> sums;
    const int thread = static_cast<int>(thread_index()), steps = (k + depth - 1) / depth;
    const auto fetch = [&](int stage, int at) {
        constexpr int a_pieces = depth / piece, b_pieces = b_row / piece;
        const int d = thread % a_pieces * piece, c = thread % b_pieces * piece;
        a.seek(at + d);
        GPU_UNROLL for (int i = 0; i < Tile::m * a_pieces / Tile::threads; ++i) {
            const int r = thread / a_pieces + i * (Tile::threads / a_pieces);
            const T* const from = a.at(r);
            copy_async16(as + stage * a_size + r * a_pitch + d, from ? from : any, from != nullptr);
        }
        GPU_UNROLL for (int i = 0; i < b_rows * b_pieces / Tile::threads; ++i) {
            const int r = thread / b_pieces + i * (Tile::threads / b_pieces);
            const T* const from = b_along_k ? b(at + c, r) : b(at + r, c);
            copy_async16(bs + stage * b_size + r * b_pitch + c, from ? from : any, from != nullptr);
        }
        copy_commit();
    };
    for (int step = 0; step < stages - 1; ++step) {
        if (step < steps) fetch(step, step * depth);
        else copy_commit();
    }
    for (int step = 0, stage = 0; step < steps; ++step) {
        sync.template copied<stages - 2>();
        sync.filled();
        const int ahead = step + stages - 1, before = stage == 0 ? stages - 1 : stage - 1;
        if (ahead < steps) fetch(before, ahead * depth);
        else copy_commit();
        multiply_stage<Multiply, Tile, b_along_k>(sums, as + stage * a_size, bs + stage * b_size);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    sync.read();  // the last stages
    auto* const staged = reinterpret_cast<float*>(ring);
    sums.store(staged);
    block_barrier();
    return staged;
}

}  // namespace lapidary::cuda
