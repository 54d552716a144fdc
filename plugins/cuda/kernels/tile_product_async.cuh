// SPDX-License-Identifier: Apache-2.0
// The main loop of products whose operands lie in pieces of 16 bytes: tiles come by asynchronous copies through a ring
// of stages, while warps multiply those that are there. a is [m, k], along k; b [k, n] along its columns, or along k.
#pragma once

#include <type_traits>

#include "kernels/tile_product.cuh"

namespace lapidary::cuda {

/// Results of a block and of one warp, stages of the ring and blocks of a multiprocessor. `of_stage`: bytes along k of
/// a stage.
template <int tile_m, int tile_n, int of_warp_m, int of_warp_n, int ring, int at_once, int of_stage = 64>
struct AsyncTile {
    static constexpr int m = tile_m, n = tile_n, warp_m = of_warp_m, warp_n = of_warp_n, stages = ring;
    static constexpr int blocks = at_once, stage_bytes = of_stage, warps_along_n = n / warp_n;
    static constexpr int threads = 32 * (m / warp_m) * warps_along_n;
    static constexpr int pitch = n + 8;  // of sums in shared memory: pairs of eight rows lie in different banks
    static_assert(warp_m % 16 == 0 && warp_n % 16 == 0 && stage_bytes % 64 == 0);
};
// Of less than 48 kB of shared memory.
using AsyncLarge = AsyncTile<128, 64, 64, 32, 3, 3>;  // the fewest bytes of shared memory for a product
using AsyncSmall = AsyncTile<64, 64, 32, 32, 4, 4>;   // more blocks

/// How stages of elements T lie in shared memory: rows of a, of b along its columns or along k, in elements. Rows that
/// are read together are in different banks.
template <typename Tile, bool b_along_k, typename T>
struct AsyncStage {
    static constexpr int piece = per_piece<T>, depth = Tile::stage_bytes / static_cast<int>(sizeof(T));
    static constexpr int b_rows = b_along_k ? Tile::n : depth, b_row = b_along_k ? depth : Tile::n;
    static constexpr int a_pitch = depth + piece, b_pitch = b_row + (b_along_k ? piece : 8);
    static constexpr int a_size = Tile::m * a_pitch, b_size = b_rows * b_pitch;
    static constexpr int of_ring = Tile::stages * (a_size + b_size) * static_cast<int>(sizeof(T));
    static constexpr int of_sums = Tile::m * Tile::pitch * static_cast<int>(sizeof(float));
    static constexpr int bytes = of_ring > of_sums ? of_ring : of_sums;
};

/// Sums of the tile that a thread has.
template <typename Tile>
struct AsyncSums {
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 8, quads = along_m * along_n;
    float of[along_m][along_n][4] = {};

    /// As a matrix of rows Tile::pitch apart.
    GPU_METHOD void store(float* to) const {
        struct alignas(8) Pair {
            float of[2];
        };
        const int lane = static_cast<int>(thread_index()) % 32, warp = static_cast<int>(thread_index()) / 32;
        const int row = warp / Tile::warps_along_n * Tile::warp_m + lane / 4;
        const int column = warp % Tile::warps_along_n * Tile::warp_n + lane % 4 * 2;
        GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int j = 0; j < along_n; ++j)
            GPU_UNROLL for (int e = 0; e < 4; e += 2) {
            const Pair pair{{of[i][j][e], of[i][j][e + 1]}};
            *reinterpret_cast<Pair*>(to + (row + i * 16 + e / 2 * 8) * Tile::pitch + column + j * 8) = pair;
        }
    }
};

/// Runs use(row, column) for the thread's share of the tile, four neighbours of a row at a time.
template <typename Tile, typename Use>
GPU_DEVICE void for_quads(const Use& use) {
    constexpr int along = Tile::n / 4;
    GPU_UNROLL_4 for (int i = static_cast<int>(thread_index()); i < Tile::m * along; i += Tile::threads)
        use(i / along, i % along * 4);
}

/// What a warp multiplies at once of a stage: 32 bytes along k. Words of b that lie along its columns are turned.
template <typename Tile, bool b_along_k, typename T>
struct AsyncFragments {
    using Stage = AsyncStage<Tile, b_along_k, T>;
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 8;
    static constexpr int parts = Tile::stage_bytes / 32;  // of a stage
    std::uint32_t a[along_m][4], b[along_n][2];

    GPU_METHOD void load(const T* as, const T* bs, int part) {
        constexpr int piece = Stage::piece, a_pitch = Stage::a_pitch, b_pitch = Stage::b_pitch;
        const int lane = static_cast<int>(thread_index()) % 32, warp = static_cast<int>(thread_index()) / 32;
        const int first_row = warp / Tile::warps_along_n * Tile::warp_m, depth = part * 2 * piece;
        const int first_column = warp % Tile::warps_along_n * Tile::warp_n;
        GPU_UNROLL for (int i = 0; i < along_m; ++i)
            load_matrices(a[i], as + (first_row + i * 16 + lane % 16) * a_pitch + depth + lane / 16 * piece);
        if constexpr (!b_along_k && sizeof(T) == 4) {
            GPU_UNROLL for (int j = 0; j < along_n; ++j) GPU_UNROLL for (int e = 0; e < 2; ++e) b[j][e] =
                bits_of(bs[(depth + e * 4 + lane % 4) * b_pitch + first_column + j * 8 + lane / 4]);
        } else {
            GPU_UNROLL for (int j = 0; j < along_n; j += 2) {
                std::uint32_t r[4];
                if constexpr (b_along_k) {
                    const int column = first_column + j * 8 + lane % 8 + lane / 16 * 8;
                    load_matrices(r, bs + column * b_pitch + depth + lane / 8 % 2 * piece);
                } else {
                    const int column = first_column + j * 8 + lane / 16 * 8;
                    load_matrices_turned(r, bs + (depth + lane % 16) * b_pitch + column);
                }
                GPU_UNROLL for (int e = 0; e < 4; ++e) b[j + e / 2][e % 2] = r[e];
            }
        }
    }

    template <typename Multiply>
    GPU_METHOD void multiply(AsyncSums<Tile>& sums) {
        if constexpr (std::is_same_v<Multiply, MultiplyTf32x3>) {
            Multiply::multiply_all(sums.of, a, b);
        } else {
            GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int e = 0; e < 4; ++e) a[i][e] =
                Multiply::fragment(a[i][e]);
            GPU_UNROLL for (int j = 0; j < along_n; ++j) GPU_UNROLL for (int e = 0; e < 2; ++e) b[j][e] =
                Multiply::fragment(b[j][e]);
            GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int j = 0; j < along_n; ++j)
                Multiply::multiply(sums.of[i][j], a[i], b[j]);
        }
    }
};

/// a.seek(k) goes to a place along k, and a.at(row) gives where a piece from there on lies of a row of the tile;
/// b(k, column) where that of b lies from there on. Null: it is zero. `any`: at a multiple of 16 bytes, not read.
/// `ring`: AsyncStage::bytes of shared memory, at a multiple of 16.
///
/// The one meeting in a round says that a stage has come, and that the one before it may be overwritten: its last
/// fragments are in registers then. Fragments are read while those before them are multiplied. After the last meeting
/// the ring is free.
template <typename Multiply, typename Tile, bool b_along_k, typename T, typename A, typename B, typename Sync = AllSync>
GPU_DEVICE void tile_product_ring(AsyncSums<Tile>& sums, void* ring, int k, const T* any, A& a, const B& b,
                                  const Sync& sync = Sync()) {
    using Stage = AsyncStage<Tile, b_along_k, T>;
    using Fragments = AsyncFragments<Tile, b_along_k, T>;
    constexpr int depth = Stage::depth, piece = Stage::piece, stages = Tile::stages, parts = Fragments::parts;
    constexpr int a_size = Stage::a_size, b_size = Stage::b_size;
    T* const as = static_cast<T*>(ring);
    T* const bs = as + stages * a_size;
    const int thread = static_cast<int>(thread_index()), steps = (k + depth - 1) / depth;
    const auto fetch = [&](int stage, int at) {
        constexpr int a_pieces = depth / piece, b_pieces = Stage::b_row / piece;
        constexpr int a_turns = Tile::m * a_pieces / Tile::threads, b_turns = Stage::b_rows * b_pieces / Tile::threads;
        static_assert(a_turns * Tile::threads == Tile::m * a_pieces);
        static_assert(b_turns * Tile::threads == Stage::b_rows * b_pieces);
        const int d = thread % a_pieces * piece, c = thread % b_pieces * piece;
        a.seek(at + d);
        GPU_UNROLL for (int i = 0; i < a_turns; ++i) {
            const int r = thread / a_pieces + i * (Tile::threads / a_pieces);
            const T* const from = a.at(r);
            copy_async16(as + stage * a_size + r * Stage::a_pitch + d, from ? from : any, from != nullptr);
        }
        GPU_UNROLL for (int i = 0; i < b_turns; ++i) {
            const int r = thread / b_pieces + i * (Tile::threads / b_pieces);
            const T* const from = b_along_k ? b(at + c, r) : b(at + r, c);
            copy_async16(bs + stage * b_size + r * Stage::b_pitch + c, from ? from : any, from != nullptr);
        }
        copy_commit();
    };
    if (steps == 0) return;
    for (int step = 0; step < stages - 1; ++step) {
        if (step < steps) fetch(step, step * depth);
        else copy_commit();
    }
    Fragments fragments[2];
    sync.template copied<stages - 2>();
    sync.filled();
    fragments[0].load(as, bs, 0);
    for (int step = 0, stage = 0; step < steps; ++step) {
        const int next = stage == stages - 1 ? 0 : stage + 1, ahead = step + stages - 1;
        GPU_UNROLL for (int part = 0; part < parts; ++part) {
            const int of = part == parts - 1 ? next : stage;
            if (part == 0) {
                if (ahead < steps) fetch(stage == 0 ? stages - 1 : stage - 1, ahead * depth);
                else copy_commit();
            }
            if (part == parts - 1 && step == steps - 1) {
                sync.read();
            } else {
                if (part == parts - 1) {
                    sync.template copied<stages - 2>();
                    sync.filled();
                }
                fragments[(part + 1) % 2].load(as + of * a_size, bs + of * b_size, (part + 1) % parts);
            }
            fragments[part % 2].template multiply<Multiply>(sums);
        }
        stage = next;
    }
}

/// The same with a ring of its own; gives the tile's sums in shared memory, rows Tile::pitch apart. The block meets
/// before it begins the next tile.
template <typename Multiply, typename Tile, bool b_along_k, typename T, typename A, typename B, typename Sync = AllSync>
GPU_DEVICE const float* tile_product_async(int k, const T* any, A& a, const B& b, const Sync& sync = Sync()) {
    GPU_SHARED_16 unsigned char ring[AsyncStage<Tile, b_along_k, T>::bytes];
    AsyncSums<Tile> sums;
    tile_product_ring<Multiply, Tile, b_along_k>(sums, ring, k, any, a, b, sync);
    auto* const staged = reinterpret_cast<float*>(ring);
    sums.store(staged);
    block_barrier();
    return staged;
}

}  // namespace lapidary::cuda
