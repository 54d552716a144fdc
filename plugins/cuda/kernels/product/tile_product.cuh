// SPDX-License-Identifier: Apache-2.0
// The main loops of products and convolutions. A block computes one tile of the result. a(row, k)
// and b(k, column) return elements as numbers, zero outside; store(row, column, sum) takes the
// sums. `a_along_k`, `b_along_k`: whether neighbours in memory are neighbours along k; otherwise
// along the rows of a or the columns of b. Threads read in that order.
//
// `Sync` has the barriers of the block. Tests pass a type that leaves one out, to see that the
// fault is found.
#pragma once

#include "gpu.h"
#include "kernels/elementwise/activation.cuh"
#include "kernels/elementwise/epilogue.h"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {

/// The grid for the tiles of a result. Tiles are numbered along x, because y ends at 65,535. z
/// counts the `items` matrices; where they exceed its limit, a block handles several.
inline Grid tile_grid(unsigned along_rows, unsigned along_columns, long long items) {
    return {along_rows * along_columns, 1,
            static_cast<unsigned>(items < most_blocks_along ? items : most_blocks_along)};
}
/// The place of the block's tile. Blocks go through eight rows of tiles together, so that their
/// operands stay in the cache.
struct TilePlace {
    int row, column;
};
GPU_DEVICE TilePlace tile_place(int tile, int along_rows, int along_columns) {
    constexpr int together = 8;
    if (along_rows <= together) {  // needs one division instead of three
        const int column = tile / along_rows;
        return {tile - column * along_rows, column};
    }
    const int first = tile / (together * along_columns) * together,
              rest = tile % (together * along_columns);
    const int rows = along_rows - first < together ? along_rows - first : together;
    return {first + rest % rows, rest / rows};
}
/// The first row and column of the block's tile, in a result of `rows` x `columns`.
GPU_DEVICE TilePlace first_of_tile(int rows, int columns, int tile_rows, int tile_columns) {
    const TilePlace place = tile_place(static_cast<int>(block_x()), (rows - 1) / tile_rows + 1,
                                       (columns - 1) / tile_columns + 1);
    return {place.row * tile_rows, place.column * tile_columns};
}

struct AllSync {
    GPU_METHOD void filled() const { block_barrier(); }  // a tile is in shared memory
    GPU_METHOD void read() const { block_barrier(); }    // and may be overwritten
    template <int left>
    GPU_METHOD void copied() const {
        copy_wait<left>();
    }
};

/// Computes sums of type C (float or int) in order of k. A thread has a few rows and columns,
/// spaced evenly over the tile.
template <typename C, int tile_m, int tile_n, int per_m, int per_n, typename A, typename B,
          typename Store, typename Sync = AllSync>
GPU_DEVICE void tile_product_exact(int row0, int column0, int k, const A& a, const B& b,
                                   const Store& store, bool a_along_k, bool b_along_k,
                                   const Sync& sync = Sync()) {
    constexpr int depth = 16, rows = tile_m / per_m, columns = tile_n / per_n,
                  threads = rows * columns;
    GPU_SHARED C as[depth][tile_m + 4];
    GPU_SHARED C bs[depth][tile_n + 4];
    const int thread = static_cast<int>(thread_index()), row = thread / columns,
              column = thread % columns;
    C sum[per_m][per_n] = {};
    for (int at = 0; at < k; at += depth) {
        GPU_ROLLED for (int i = thread; i < tile_m * depth; i += threads) {
            const int r = a_along_k ? i / depth : i % tile_m,
                      d = a_along_k ? i % depth : i / tile_m;
            as[d][r] = a(row0 + r, at + d);
        }
        GPU_ROLLED for (int i = thread; i < tile_n * depth; i += threads) {
            const int c = b_along_k ? i / depth : i % tile_n,
                      d = b_along_k ? i % depth : i / tile_n;
            bs[d][c] = b(at + d, column0 + c);
        }
        sync.filled();
        GPU_UNROLL for (int d = 0; d < depth; ++d) {
            C x[per_m], y[per_n];
            GPU_UNROLL for (int i = 0; i < per_m; ++i) x[i] = as[d][row + i * rows];
            GPU_UNROLL for (int j = 0; j < per_n; ++j) y[j] = bs[d][column + j * columns];
            GPU_UNROLL for (int i = 0; i < per_m; ++i) GPU_UNROLL for (int j = 0; j < per_n; ++j)
                sum[i][j] = multiply_add(x[i], y[j], sum[i][j]);
        }
        sync.read();
    }
    GPU_UNROLL for (int i = 0; i < per_m; ++i) GPU_UNROLL for (int j = 0; j < per_n; ++j)
        store(row0 + row + i * rows, column0 + column + j * columns, sum[i][j]);
}

/// The sums of a warp, 32 x 32 of the result: 2 by 4 tensor core tiles. Fragments are words along k
/// of tiles in shared memory.
template <typename Multiply>
struct FloatSums {
    float of[2][4][4] = {};
    GPU_METHOD void add(const std::uint32_t (&a)[2][4], const std::uint32_t (&b)[4][2]) {
        GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j)
            Multiply::multiply(of[i][j], a[i], b[j]);
    }
    GPU_METHOD float at(int i, int j, int e) const { return of[i][j][e]; }
};

GPU_DEVICE bool is_finite(float x) { return std::fabs(x) <= 3.40282347e+38f; }

/// Element types of tensor cores: the contents of a word of a tile, and one multiplication.
/// fragment() converts a word as it is in memory to the operand.
struct MultiplyF16 {
    using Sums = FloatSums<MultiplyF16>;
    static constexpr int word_depth = 2;  // elements along k in a word
    GPU_METHOD static std::uint32_t pack(float low, float high) {
        const half_t h[2] = {to_half(low), to_half(high)};
        std::uint32_t word;
        memcpy(&word, h, 4);
        return word;
    }
    template <typename Element>
    GPU_METHOD static std::uint32_t word(const Element& element) {
        return pack(element(0), element(1));
    }
    GPU_METHOD static std::uint32_t fragment(std::uint32_t word) { return word; }
    GPU_METHOD static void multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mma_f16(d, a, b);
    }
};
struct MultiplyBf16 {
    using Sums = FloatSums<MultiplyBf16>;
    static constexpr int word_depth = 2;
    GPU_METHOD static std::uint32_t pack(float low, float high) {
        const bfloat_t h[2] = {to_bfloat(low), to_bfloat(high)};
        std::uint32_t word;
        memcpy(&word, h, 4);
        return word;
    }
    template <typename Element>
    GPU_METHOD static std::uint32_t word(const Element& element) {
        return pack(element(0), element(1));
    }
    GPU_METHOD static std::uint32_t fragment(std::uint32_t word) { return word; }
    GPU_METHOD static void multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mma_bf16(d, a, b);
    }
};
struct MultiplyTf32 {
    using Sums = FloatSums<MultiplyTf32>;
    static constexpr int word_depth = 1;
    GPU_METHOD static std::uint32_t pack(float value, float) { return to_tf32(value); }
    template <typename Element>
    GPU_METHOD static std::uint32_t word(const Element& element) {
        return to_tf32(element(0));
    }
    /// Rounds as to_tf32() does, with fewer instructions. Values that are not finite stay
    /// unchanged.
    GPU_METHOD static std::uint32_t fragment(std::uint32_t word) {
        return read_as_tf32(is_finite(float_of(word)) ? word + 0x1000u : word);
    }
    GPU_METHOD static void multiply(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
        mma_tf32(d, a, b);
    }
};

/// Splits a float into the sum of two TF32 numbers, with 21 bits together. A value that is not
/// finite becomes the low part: low parts are multiplied only with high parts, so it never meets a
/// low part of the other sign.
GPU_DEVICE void split_tf32(std::uint32_t bits, std::uint32_t& high, std::uint32_t& low) {
    const float x = float_of(bits);
    high = is_finite(x) ? bits & 0xffffe000u : 0u;
    low = read_as_tf32(bits_of(x - float_of(high)));
}

/// Nearly as exact as float32: a product of floats is the product of the high parts plus both
/// products of a high and a low part (CUTLASS calls this 3xTF32). Infinity times infinity is NaN.
struct MultiplyTf32x3 {
    /// d[i][j] += a[i] * b[j].
    template <int along_m, int along_n>
    GPU_METHOD static void multiply_all(float (&d)[along_m][along_n][4],
                                        const std::uint32_t (&a)[along_m][4],
                                        const std::uint32_t (&b)[along_n][2]) {
        std::uint32_t b_high[along_n][2], b_low[along_n][2];
        GPU_UNROLL for (int j = 0; j < along_n; ++j) GPU_UNROLL for (int k = 0; k < 2; ++k)
            split_tf32(b[j][k], b_high[j][k], b_low[j][k]);
        GPU_UNROLL for (int i = 0; i < along_m; ++i) {
            std::uint32_t a_high[4], a_low[4];
            GPU_UNROLL for (int k = 0; k < 4; ++k) split_tf32(a[i][k], a_high[k], a_low[k]);
            GPU_UNROLL for (int j = 0; j < along_n; ++j) mma_tf32(d[i][j], a_low, b_high[j]);
            GPU_UNROLL for (int j = 0; j < along_n; ++j) mma_tf32(d[i][j], a_high, b_low[j]);
            GPU_UNROLL for (int j = 0; j < along_n; ++j) mma_tf32(d[i][j], a_high, b_high[j]);
        }
    }
    struct Sums {
        float of[2][4][4] = {};
        GPU_METHOD void add(const std::uint32_t (&a)[2][4], const std::uint32_t (&b)[4][2]) {
            multiply_all(of, a, b);
        }
        GPU_METHOD float at(int i, int j, int e) const { return of[i][j][e]; }
    };
    static constexpr int word_depth = 1;
    template <typename Element>
    GPU_METHOD static std::uint32_t word(const Element& element) {
        return bits_of(element(0));
    }
};

inline constexpr int mma_tile = 64;
inline constexpr unsigned mma_threads = 128;
inline constexpr int mma_words = 16;  // words of a tile along k

/// Computes 64 x 64 of the result by four warps on tensor cores, 16 words along k at a time.
/// store() gets what Sums::at() returns.
template <typename Multiply, typename A, typename B, typename Store, typename Sync = AllSync>
GPU_DEVICE void tile_product_mma(int row0, int column0, int k, const A& a, const B& b,
                                 const Store& store, bool a_along_k, bool b_along_k,
                                 const Sync& sync = Sync(),
                                 typename Multiply::Sums sums = typename Multiply::Sums()) {
    // 80 bytes: no bank conflicts
    constexpr int words = mma_words, pitch = words + 4, per_word = Multiply::word_depth;
    GPU_SHARED std::uint32_t as[mma_tile * pitch];
    GPU_SHARED std::uint32_t bs[mma_tile * pitch];
    const int thread = static_cast<int>(thread_index()), lane = thread % 32, warp = thread / 32;
    const int first_row = warp / 2 * 32, first_column = warp % 2 * 32, group = lane / 4,
              word = lane % 4;
    for (int at = 0; at < k; at += words * per_word) {
        GPU_ROLLED for (int i = thread; i < mma_tile * words; i += static_cast<int>(mma_threads)) {
            const int r = a_along_k ? i / words : i % mma_tile,
                      w = a_along_k ? i % words : i / mma_tile;
            const int d = at + w * per_word;
            as[r * pitch + w] =
                Multiply::word([&](int element) { return a(row0 + r, d + element); });
        }
        GPU_ROLLED for (int i = thread; i < mma_tile * words; i += static_cast<int>(mma_threads)) {
            const int c = b_along_k ? i / words : i % mma_tile,
                      w = b_along_k ? i % words : i / mma_tile;
            const int d = at + w * per_word;
            bs[c * pitch + w] =
                Multiply::word([&](int element) { return b(d + element, column0 + c); });
        }
        sync.filled();
        GPU_UNROLL for (int step = 0; step < words; step += 8) {
            std::uint32_t fa[2][4], fb[4][2];
            GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) fa[i][j] =
                as[(first_row + i * 16 + group + j % 2 * 8) * pitch + step + word + j / 2 * 4];
            GPU_UNROLL for (int i = 0; i < 4; ++i) GPU_UNROLL for (int j = 0; j < 2; ++j) fb[i][j] =
                bs[(first_column + i * 8 + group) * pitch + step + word + j * 4];
            sums.add(fa, fb);
        }
        sync.read();
    }
    GPU_UNROLL for (int i = 0; i < 2; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j)
        GPU_UNROLL for (int e = 0; e < 4; ++e)
            store(row0 + first_row + i * 16 + group + e / 2 * 8,
                  column0 + first_column + j * 8 + word * 2 + e % 2, sums.at(i, j, e));
}

/// `at`: the place of the element in the output.
template <typename T>
GPU_DEVICE float finished(const Epilogue& e, float sum, int row, int column, long long at) {
    float v = e.alpha * sum;
    if (e.bias)
        v += e.beta *
             load_element(static_cast<const T*>(e.bias) + static_cast<long long>(row) * e.bias_row +
                          static_cast<long long>(column) * e.bias_column);
    const float residual = e.residual ? load_element(static_cast<const T*>(e.residual) + at) : 0.0f;
    if (!e.activates_before_residual) v += residual;
    if (e.activation == Op::relu) v = v < 0 ? 0.0f : v;
    else if (e.activation != Op::identity)
        v = apply_activation(e.activation, v, e.activation_alpha, e.activation_beta);
    return e.activates_before_residual ? v + residual : v;
}

/// Four neighbours in a row, `count` of which exist. `is_whole`: all four exist and are aligned.
template <typename T>
struct alignas(4 * sizeof(T)) Quad {
    T of[4];
};
template <typename T>
GPU_DEVICE void store_quad(T* to, const float (&v)[4], int count, bool is_whole) {
    if (is_whole) {
        Quad<T> quad;
        GPU_UNROLL for (int i = 0; i < 4; ++i) store_element(quad.of + i, v[i]);
        *reinterpret_cast<Quad<T>*>(to) = quad;
        return;
    }
    GPU_UNROLL for (int i = 0; i < 4; ++i) if (i < count) store_element(to + i, v[i]);
}
template <typename T>
GPU_DEVICE void load_quad(const T* from, float (&v)[4], int count, bool is_whole) {
    if (is_whole) {
        const Quad<T> quad = *reinterpret_cast<const Quad<T>*>(from);
        GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] = load_element(quad.of + i);
        return;
    }
    GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] = i < count ? load_element(from + i) : 0.0f;
}

/// Stores finished() of four neighbours in a row.
template <typename T>
GPU_DEVICE void finish_quad(const Epilogue& e, float (&v)[4], int row, int column, long long at,
                            T* y, int count, bool is_whole) {
    float residual[4] = {};
    if (e.residual) load_quad(static_cast<const T*>(e.residual) + at, residual, count, is_whole);
    GPU_UNROLL for (int i = 0; i < 4; ++i) {
        v[i] *= e.alpha;
        if (e.bias && i < count)
            v[i] += e.beta * load_element(static_cast<const T*>(e.bias) +
                                          static_cast<long long>(row) * e.bias_row +
                                          static_cast<long long>(column + i) * e.bias_column);
        if (!e.activates_before_residual) v[i] += residual[i];
    }
    activate<T>(e, v);
    if (e.activates_before_residual) GPU_UNROLL for (int i = 0; i < 4; ++i) v[i] += residual[i];
    store_quad(y, v, count, is_whole);
}

}  // namespace lapidary::cuda
