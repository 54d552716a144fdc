// SPDX-License-Identifier: Apache-2.0
// The main loop of products whose operands lie in pieces of 16 bytes: asynchronous copies bring
// tiles into a ring of stages, while warps multiply those that have arrived. a is [m, k], along k;
// b [k, n] along its columns, or along k.
#pragma once

#include <type_traits>

#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

/// Sizes: results of a block and of a warp, stages of the ring and blocks per multiprocessor.
/// `of_stage`: bytes along k of a stage.
template <int tile_m, int tile_n, int of_warp_m, int of_warp_n, int ring, int at_once,
          int of_stage = 64>
struct AsyncTile {
    static constexpr int m = tile_m, n = tile_n, warp_m = of_warp_m, warp_n = of_warp_n,
                         stages = ring;
    static constexpr int blocks = at_once, stage_bytes = of_stage, warps_along_n = n / warp_n;
    static constexpr int threads = 32 * (m / warp_m) * warps_along_n;
    // of sums in shared memory: pairs of eight rows lie in different banks
    static constexpr int pitch = n + 8;
    static_assert(warp_m % 16 == 0 && warp_n % 16 == 0 && stage_bytes % 64 == 0);
};
// These use less than 48 kB of shared memory. reads the fewest bytes of shared memory per product
using AsyncLarge = AsyncTile<128, 64, 64, 32, 3, 3>;
using AsyncSmall = AsyncTile<64, 64, 32, 32, 4, 4>;  // more blocks

/// Layout of a stage of elements T in shared memory: rows of a, and of b along its columns or along
/// k, in elements. Rows that are read together are in different banks.
template <typename Tile, bool b_along_k, typename T>
struct AsyncStage {
    static constexpr int piece = per_piece<T>,
                         depth = Tile::stage_bytes / static_cast<int>(sizeof(T));
    static constexpr int b_rows = b_along_k ? Tile::n : depth, b_row = b_along_k ? depth : Tile::n;
    static constexpr int a_pitch = depth + piece, b_pitch = b_row + (b_along_k ? piece : 8);
    // of a row
    static constexpr int a_pieces = depth / piece, b_pieces = b_row / piece;
    // rows of a thread
    static constexpr int a_apart = Tile::threads / a_pieces, b_apart = Tile::threads / b_pieces;
    static constexpr int a_turns = Tile::m / a_apart, b_turns = b_rows / b_apart;
    static_assert(a_turns * a_apart == Tile::m && b_turns * b_apart == b_rows);
    static constexpr int a_size = Tile::m * a_pitch, b_size = b_rows * b_pitch;
    static constexpr int of_ring = Tile::stages * (a_size + b_size) * static_cast<int>(sizeof(T));
    static constexpr int of_sums = Tile::m * Tile::pitch * static_cast<int>(sizeof(float));
    static constexpr int bytes = of_ring > of_sums ? of_ring : of_sums;
};

/// The sums that a thread holds of a tile.
template <typename Tile>
struct AsyncSums {
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 8,
                         quads = along_m * along_n;
    float of[along_m][along_n][4] = {};

    /// Writes them as a matrix whose rows are Tile::pitch apart.
    GPU_METHOD void store(float* to) const {
        struct alignas(8) Pair {
            float of[2];
        };
        const int lane = static_cast<int>(thread_index()) % 32,
                  warp = static_cast<int>(thread_index()) / 32;
        const int row = warp / Tile::warps_along_n * Tile::warp_m + lane / 4;
        const int column = warp % Tile::warps_along_n * Tile::warp_n + lane % 4 * 2;
        GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int j = 0; j < along_n; ++j)
            GPU_UNROLL for (int e = 0; e < 4; e += 2) {
            const Pair pair{{of[i][j][e], of[i][j][e + 1]}};
            *reinterpret_cast<Pair*>(to + (row + i * 16 + e / 2 * 8) * Tile::pitch + column +
                                     j * 8) = pair;
        }
    }
};

/// Calls use(row, column) for the thread's share of the tile, once for four neighbours of a row.
template <typename Tile, typename Use>
GPU_DEVICE void for_quads(const Use& use) {
    constexpr int along = Tile::n / 4;
    GPU_UNROLL_4 for (int i = static_cast<int>(thread_index()); i < Tile::m * along;
                      i += Tile::threads) use(i / along, i % along * 4);
}

/// The part of a stage that a warp multiplies at once: 32 bytes along k. Where b lies along its
/// columns, its words are transposed.
template <typename Tile, bool b_along_k, typename T>
struct AsyncFragments {
    using Stage = AsyncStage<Tile, b_along_k, T>;
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 8;
    static constexpr int parts = Tile::stage_bytes / 32;  // of a stage
    std::uint32_t a[along_m][4], b[along_n][2];

    GPU_METHOD void load(const T* as, const T* bs, int part) {
        constexpr int piece = Stage::piece, a_pitch = Stage::a_pitch, b_pitch = Stage::b_pitch;
        const int lane = static_cast<int>(thread_index()) % 32,
                  warp = static_cast<int>(thread_index()) / 32;
        const int first_row = warp / Tile::warps_along_n * Tile::warp_m, depth = part * 2 * piece;
        const int first_column = warp % Tile::warps_along_n * Tile::warp_n;
        GPU_UNROLL for (int i = 0; i < along_m; ++i) load_matrices(
            a[i], as + (first_row + i * 16 + lane % 16) * a_pitch + depth + lane / 16 * piece);
        if constexpr (!b_along_k && sizeof(T) == 4) {
            GPU_UNROLL for (int j = 0; j < along_n; ++j) GPU_UNROLL for (int e = 0; e < 2;
                                                                         ++e) b[j][e] =
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
            GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int e = 0; e < 4; ++e)
                a[i][e] = Multiply::fragment(a[i][e]);
            GPU_UNROLL for (int j = 0; j < along_n; ++j) GPU_UNROLL for (int e = 0; e < 2; ++e)
                b[j][e] = Multiply::fragment(b[j][e]);
            GPU_UNROLL for (int i = 0; i < along_m; ++i)
                GPU_UNROLL for (int j = 0; j < along_n; ++j)
                    Multiply::multiply(sums.of[i][j], a[i], b[j]);
        }
    }
};

/// Copies a thread's pieces of a stage from wherever the caller says. a.seek(k) goes to a place
/// along k; a.at(row) then returns the address of the piece of that row; b(k, column) returns the
/// address of a piece of b. Null stands for zeros. `any`: any address aligned to 16 bytes; it is
/// not read.
template <typename Tile, bool b_along_k, typename T, typename A, typename B>
struct PlacedPieces {
    using Stage = AsyncStage<Tile, b_along_k, T>;
    const T* any;
    A& a;
    const B& b;
    GPU_METHOD void copy(T* as, T* bs, int at) {
        const int thread = static_cast<int>(thread_index());
        const int d = thread % Stage::a_pieces * Stage::piece,
                  c = thread % Stage::b_pieces * Stage::piece;
        a.seek(at + d);
        GPU_UNROLL for (int i = 0; i < Stage::a_turns; ++i) {
            const int r = thread / Stage::a_pieces + i * Stage::a_apart;
            const T* const from = a.at(r);
            copy_async16(as + r * Stage::a_pitch + d, from ? from : any, from != nullptr);
        }
        GPU_UNROLL for (int i = 0; i < Stage::b_turns; ++i) {
            const int r = thread / Stage::b_pieces + i * Stage::b_apart;
            const T* const from = b_along_k ? b(at + c, r) : b(at + r, c);
            copy_async16(bs + r * Stage::b_pitch + c, from ? from : any, from != nullptr);
        }
    }
};

/// The same for plain matrices, whose addresses advance from stage to stage by additions. `rows`
/// and `columns` of the tile exist, and `depth` elements along k.
template <typename Tile, bool b_along_k, typename T>
class MatrixPieces {
public:
    using Stage = AsyncStage<Tile, b_along_k, T>;
    GPU_METHOD MatrixPieces(const T* a, long long a_row, int rows, const T* b, long long b_row,
                            int columns, int depth)
        : depth_(depth), a_row_(a_row * Stage::a_apart), b_row_(b_row * Stage::b_apart),
          b_stage_(b_along_k ? Stage::depth : b_row * Stage::depth) {
        const int thread = static_cast<int>(thread_index());
        a_first_ = thread / Stage::a_pieces, a_piece_ = thread % Stage::a_pieces * Stage::piece;
        b_first_ = thread / Stage::b_pieces, b_piece_ = thread % Stage::b_pieces * Stage::piece;
        a_ = a + a_first_ * a_row + a_piece_;
        b_ = b + b_first_ * b_row + b_piece_;
        a_turns_ = turns_until(rows - a_first_, Stage::a_apart);
        b_turns_ = b_along_k            ? turns_until(columns - b_first_, Stage::b_apart)
                   : b_piece_ < columns ? Stage::b_turns
                                        : 0;
    }
    /// Call for the stages in order.
    GPU_METHOD void copy(T* as, T* bs, int at) {
        const int left = depth_ - at;
        const T *from_a = a_, *from_b = b_;
        const int a_turns = a_piece_ < left ? a_turns_ : 0;
        int b_turns = b_along_k && b_piece_ >= left ? 0 : b_turns_;
        if (!b_along_k && left < Stage::depth) {
            const int there = turns_until(left - b_first_, Stage::b_apart);
            b_turns = there < b_turns ? there : b_turns;
        }
        GPU_UNROLL for (int i = 0; i < Stage::a_turns; ++i, from_a += a_row_) copy_async16(
            as + (a_first_ + i * Stage::a_apart) * Stage::a_pitch + a_piece_, from_a, i < a_turns);
        GPU_UNROLL for (int i = 0; i < Stage::b_turns; ++i, from_b += b_row_) copy_async16(
            bs + (b_first_ + i * Stage::b_apart) * Stage::b_pitch + b_piece_, from_b, i < b_turns);
        a_ += Stage::depth;
        b_ += b_stage_;
    }

private:
    /// How many of 0, apart, 2 * apart ... are below `end`.
    GPU_METHOD static int turns_until(int end, int apart) {
        return end <= 0 ? 0 : (end + apart - 1) / apart;
    }

    const T *a_, *b_;
    int depth_, a_first_, a_piece_, b_first_, b_piece_, a_turns_, b_turns_;
    long long a_row_, b_row_, b_stage_;
};

/// Computes the sums of the tile over k. pieces.copy(as, bs, k) copies the thread's pieces of the
/// stage that begins at k. `ring`: AsyncStage::bytes of shared memory, aligned to 16.
///
/// There is one barrier in a round. It says that a stage has arrived, and that the stage before it
/// may be overwritten because its last fragments are in registers. Fragments are loaded while
/// earlier ones are multiplied. After the last barrier the ring is free.
template <typename Multiply, typename Tile, bool b_along_k, typename T, typename Pieces,
          typename Sync = AllSync>
GPU_DEVICE void tile_product_ring(AsyncSums<Tile>& sums, T* ring, int k, Pieces& pieces,
                                  const Sync& sync = Sync()) {
    using Stage = AsyncStage<Tile, b_along_k, T>;
    using Fragments = AsyncFragments<Tile, b_along_k, T>;
    constexpr int depth = Stage::depth, stages = Tile::stages, parts = Fragments::parts;
    constexpr int a_size = Stage::a_size, b_size = Stage::b_size;
    T *const as = ring, *const bs = ring + stages * a_size;
    const int steps = (k + depth - 1) / depth;
    const auto fetch = [&](int stage, int at) {
        pieces.copy(as + stage * a_size, bs + stage * b_size, at);
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
                fragments[(part + 1) % 2].load(as + of * a_size, bs + of * b_size,
                                               (part + 1) % parts);
            }
            fragments[part % 2].template multiply<Multiply>(sums);
        }
        stage = next;
    }
}

/// The same for PlacedPieces, with its own ring. Leaves the tile's sums in shared memory, rows
/// Tile::pitch apart. The caller needs a barrier before the next tile.
template <typename Multiply, typename Tile, bool b_along_k, typename T, typename A, typename B,
          typename Sync = AllSync>
GPU_DEVICE const float* tile_product_async(int k, const T* any, A& a, const B& b,
                                           const Sync& sync = Sync()) {
    GPU_SHARED_16 unsigned char ring[AsyncStage<Tile, b_along_k, T>::bytes];
    AsyncSums<Tile> sums;
    PlacedPieces<Tile, b_along_k, T, A, B> pieces{any, a, b};
    tile_product_ring<Multiply, Tile, b_along_k>(sums, reinterpret_cast<T*>(ring), k, pieces, sync);
    auto* const staged = reinterpret_cast<float*>(ring);
    sums.store(staged);
    block_barrier();
    return staged;
}

}  // namespace lapidary::cuda
