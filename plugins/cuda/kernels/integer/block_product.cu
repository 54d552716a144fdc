// SPDX-License-Identifier: Apache-2.0
// Products with block-quantized weights. For few rows the weights are dequantized while they are
// read; otherwise they are dequantized first, for an ordinary product.
#include "kernels/load_store.cuh"
#include "kernels/integer/quantized.h"
#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {
namespace {

/// Reads the zero point of a block of a column.
template <int bits>
GPU_DEVICE int block_zero(const BlockProductArgs& args, int column, int block) {
    constexpr int per_byte = 8 / bits;
    return args.zeros[static_cast<long long>(column) * args.zero_row + block / per_byte] >>
               (block % per_byte * bits) &
           ((1 << bits) - 1);
}
GPU_DEVICE int block_zero(const BlockProductArgs& args, int column, int block) {
    if (!args.zeros) return 1 << (args.bits - 1);
    return args.bits == 2   ? block_zero<2>(args, column, block)
           : args.bits == 4 ? block_zero<4>(args, column, block)
                            : block_zero<8>(args, column, block);
}

template <typename T>
GPU_DEVICE float block_scale(const BlockProductArgs& args, int column, int block) {
    return load_element(static_cast<const T*>(args.scales) +
                        static_cast<long long>(column) * args.blocks + block);
}

/// Dequantizes one element of the weight.
template <typename T>
GPU_DEVICE float block_weight(const BlockProductArgs& args, int column, int k) {
    const int per_byte = 8 / args.bits, mask = (1 << args.bits) - 1, block = k / args.block,
              inner = k % args.block;
    const long long of = static_cast<long long>(column) * args.blocks + block;
    const int level =
        args.b[of * args.blob + inner / per_byte] >> (inner % per_byte * args.bits) & mask;
    return static_cast<float>(level - block_zero(args, column, block)) *
           block_scale<T>(args, column, block);
}

/// A byte of the word as a float, plus 2^23.
GPU_DEVICE float raised_byte(std::uint32_t word, int byte) {
    return float_of(permute_bytes(word, 0x4b000000u, 0x7440u + static_cast<std::uint32_t>(byte)));
}
constexpr float raised = 8388608;

template <int bits>
constexpr int per_word = 32 / bits;
/// The integers in a word, lowest first, minus `zero_raised`, which is their zero point plus 2^23.
template <int bits>
GPU_DEVICE void levels_of(std::uint32_t word, float zero_raised, float (&level)[per_word<bits>]) {
    if constexpr (bits == 8) {
        GPU_UNROLL for (int i = 0; i < 4; ++i) level[i] = raised_byte(word, i) - zero_raised;
    } else {
        const std::uint32_t even = word & 0x0f0f0f0fu, odd = word >> 4 & 0x0f0f0f0fu;
        GPU_UNROLL for (int i = 0; i < 4; ++i) {
            level[2 * i] = raised_byte(even, i) - zero_raised;
            level[2 * i + 1] = raised_byte(odd, i) - zero_raised;
        }
    }
}

/// Neighbours at a multiple of their size.
template <typename T, int count>
GPU_DEVICE void load_numbers(const T* from, float (&to)[count]) {
    if constexpr (count * sizeof(T) % 16 == 0) {
        GPU_UNROLL for (int i = 0; i < count; i += per_piece<T>) {
            float of[per_piece<T>];
            elements_of<T>(piece_at(from + i), of);
            GPU_UNROLL for (int j = 0; j < per_piece<T>; ++j) to[i + j] = of[j];
        }
    } else {
        static_assert(count == 4);
        load_quad(from, to, 4, true);
    }
}

constexpr int few_threads = 256;

/// Multiplies pieces of 16 bytes of some columns, 32 pieces apart. All are loaded before the first
/// is multiplied.
template <typename T, int bits, int rows, int columns, int count>
GPU_DEVICE void add_pieces(const BlockProductArgs& args, int shift, int first, int piece,
                           float (&sum)[rows][columns]) {
    constexpr int of_word = per_word<bits>, of_piece = 4 * of_word;
    const int pitch = args.blocks * args.blob / 16;
    Piece packed[count][columns];
    float zero[count][columns], scale[count][columns];
    GPU_UNROLL for (int i = 0; i < count; ++i) GPU_UNROLL for (int c = 0; c < columns; ++c) {
        const int column = first + c < args.n ? first + c : args.n - 1;
        packed[i][c] = reinterpret_cast<const Piece*>(
            args.b)[static_cast<long long>(column) * pitch + piece + i * 32];
        scale[i][c] = block_scale<T>(args, column, (piece + i * 32) >> shift);
        zero[i][c] = raised + static_cast<float>(1 << (bits - 1));
    }
    if (args.zeros)
        GPU_UNROLL for (int i = 0; i < count; ++i) GPU_UNROLL for (int c = 0; c < columns; ++c)
            zero[i][c] =
                raised +
                static_cast<float>(block_zero<bits>(
                    args, first + c < args.n ? first + c : args.n - 1, (piece + i * 32) >> shift));
    GPU_UNROLL for (int i = 0; i < count; ++i) {
        float of_piece_sum[rows][columns] = {};
        GPU_UNROLL for (int word = 0; word < 4; ++word) {
            float level[columns][of_word];
            GPU_UNROLL for (int c = 0; c < columns; ++c)
                levels_of<bits>(packed[i][c].words[word], zero[i][c], level[c]);
            // missing rows repeat the last one
            GPU_UNROLL for (int r = 0; r < rows; ++r) {
                float x[of_word];
                load_numbers(static_cast<const T*>(args.a) +
                                 static_cast<long long>(r < args.m ? r : args.m - 1) * args.k +
                                 (piece + i * 32) * of_piece + word * of_word,
                             x);
                GPU_UNROLL for (int c = 0; c < columns; ++c)
                    GPU_UNROLL for (int e = 0; e < of_word; ++e) of_piece_sum[r][c] =
                        multiply_add(x[e], level[c][e], of_piece_sum[r][c]);
            }
        }
        GPU_UNROLL for (int r = 0; r < rows; ++r) GPU_UNROLL for (int c = 0; c < columns; ++c)
            sum[r][c] = multiply_add(of_piece_sum[r][c], scale[i][c], sum[r][c]);
    }
}

/// A warp computes some columns, whose blocks are 2^shift pieces of 16 bytes. k is a multiple of
/// the numbers in a piece.
template <typename T, int bits, int rows, int columns>
GPU_GLOBAL void block_product_few(BlockProductArgs args, int shift) {
    kernel_begin();
    constexpr int at_once = rows == 1 ? 2 : 1;
    const int lane = static_cast<int>(thread_index()) % 32, pieces = args.k * bits / 128;
    const int warp =
        static_cast<int>(block_x()) * (few_threads / 32) + static_cast<int>(thread_index()) / 32;
    const int first = warp * columns;
    float sum[rows][columns] = {};
    int piece = lane;
    for (; piece + (at_once - 1) * 32 < pieces; piece += at_once * 32)
        add_pieces<T, bits, rows, columns, at_once>(args, shift, first, piece, sum);
    if constexpr (at_once > 1)
        if (piece < pieces) add_pieces<T, bits, rows, columns, 1>(args, shift, first, piece, sum);
    GPU_UNROLL for (int r = 0; r < rows; ++r) GPU_UNROLL for (int c = 0; c < columns; ++c) {
        float total = warp_sum(sum[r][c]);
        if (lane != 0 || r >= args.m || first + c >= args.n) continue;
        if (args.bias) total += load_element(static_cast<const T*>(args.bias) + first + c);
        store_element(static_cast<T*>(args.y) + static_cast<long long>(r) * args.n + first + c,
                      total);
    }
}

/// For any layout of blocks: a warp per column.
template <typename T>
GPU_GLOBAL void block_product_any(BlockProductArgs args) {
    kernel_begin();
    const int lane = static_cast<int>(thread_index()) % 32, row = static_cast<int>(block_y());
    const int column =
        static_cast<int>(block_x()) * (few_threads / 32) + static_cast<int>(thread_index()) / 32;
    float sum = 0;
    for (int k = lane; k < args.k; k += 32)
        if (column < args.n)
            sum = multiply_add(load_element(static_cast<const T*>(args.a) +
                                            static_cast<long long>(row) * args.k + k),
                               block_weight<T>(args, column, k), sum);
    sum = warp_sum(sum);
    if (lane != 0 || column >= args.n) return;
    if (args.bias) sum += load_element(static_cast<const T*>(args.bias) + column);
    store_element(static_cast<T*>(args.y) + static_cast<long long>(row) * args.n + column, sum);
}

template <typename T, int bits>
GPU_GLOBAL void block_weights_of_pieces(BlockProductArgs args, int shift, T* to) {
    kernel_begin();
    constexpr int of_word = per_word<bits>, of_piece = 4 * of_word;
    const int pieces = args.k / of_piece, pitch = args.blocks * args.blob / 16;
    const Piece* const weights = reinterpret_cast<const Piece*>(args.b);
    for (int i = global_thread(); i < args.n * pieces; i += all_threads()) {
        const int column = i / pieces, piece = i - column * pieces, block = piece >> shift;
        const Piece packed = weights[static_cast<long long>(column) * pitch + piece];
        const float zero = raised + static_cast<float>(block_zero(args, column, block));
        const float scale = block_scale<T>(args, column, block);
        T* const first = to + static_cast<long long>(i) * of_piece;
        GPU_UNROLL for (int word = 0; word < 4; ++word) {
            float level[of_word];
            levels_of<bits>(packed.words[word], zero, level);
            GPU_UNROLL for (int j = 0; j < of_word; j += 4) {
                const float four[4] = {level[j] * scale, level[j + 1] * scale, level[j + 2] * scale,
                                       level[j + 3] * scale};
                store_quad(first + word * of_word + j, four, 4, true);
            }
        }
    }
}

template <typename T>
GPU_GLOBAL void block_weights_any(BlockProductArgs args, T* to) {
    kernel_begin();
    const long long count = static_cast<long long>(args.n) * args.k;
    for (long long i = global_thread(); i < count; i += all_threads()) {
        const int column = static_cast<int>(i / args.k);
        const int k = static_cast<int>(i - static_cast<long long>(column) * args.k);
        store_element(to + i, block_weight<T>(args, column, k));
    }
}

/// Whether blocks are 2^shift_of() pieces of 16 bytes, and rows of a are whole pieces.
bool is_in_pieces(const BlockProductArgs& args) {
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    return args.bits >= 4 && args.blob % 16 == 0 && (args.blob & (args.blob - 1)) == 0 &&
           args.k % (128 / args.bits) == 0 && address % 16 == 0;
}
int shift_of(const BlockProductArgs& args) {
    int shift = 0;
    while (16 << shift < args.blob) ++shift;
    return shift;
}

template <typename T, int bits, int rows, int columns>
void launch_few_of(Queue& queue, const BlockProductArgs& args) {
    const Grid grid{static_cast<unsigned>((args.n - 1) / (few_threads / 32 * columns) + 1), 1, 1};
    constexpr unsigned threads = few_threads;
    GPU_LAUNCH((block_product_few<T, bits, rows, columns>), grid, threads, queue, args,
               shift_of(args));
}
template <typename T, int bits>
void launch_few(Queue& queue, const BlockProductArgs& args) {
    constexpr int many = 8192;  // columns, of which blocks of fewer warps fill a device as well
    if (args.m > 4) launch_few_of<T, bits, few_block_rows, 2>(queue, args);
    else if (args.m > 1) launch_few_of<T, bits, 4, 2>(queue, args);
    else if (args.n >= many) launch_few_of<T, bits, 1, 4>(queue, args);
    else launch_few_of<T, bits, 1, 2>(queue, args);
}
template <typename T>
void launch_product_of(Queue& queue, const BlockProductArgs& args) {
    if (is_in_pieces(args)) {
        if (args.bits == 4) launch_few<T, 4>(queue, args);
        else launch_few<T, 8>(queue, args);
        return;
    }
    const Grid grid{static_cast<unsigned>((args.n - 1) / (few_threads / 32) + 1),
                    static_cast<unsigned>(args.m), 1};
    constexpr unsigned threads = few_threads;
    GPU_LAUNCH(block_product_any<T>, grid, threads, queue, args);
}

template <typename T>
void launch_weights_of(Queue& queue, const BlockProductArgs& args, void* memory) {
    auto* const to = static_cast<T*>(memory);
    const long long count = static_cast<long long>(args.n) * args.k;
    const Grid pieces = grid_for(count * args.bits / 128);
    const int shift = shift_of(args);
    if (!is_in_pieces(args))
        GPU_LAUNCH_FREE(block_weights_any<T>, grid_for(count), free_threads, queue, args, to);
    else if (args.bits == 4)
        GPU_LAUNCH_FREE((block_weights_of_pieces<T, 4>), pieces, free_threads, queue, args, shift,
                        to);
    else
        GPU_LAUNCH_FREE((block_weights_of_pieces<T, 8>), pieces, free_threads, queue, args, shift,
                        to);
}

}  // namespace

void launch_block_product(Queue& queue, const BlockProductArgs& args) {
    if (args.m == 0 || args.n == 0) return;
    if (args.type == 10) launch_product_of<half_t>(queue, args);
    else if (args.type == 16) launch_product_of<bfloat_t>(queue, args);
    else launch_product_of<float>(queue, args);
}

void launch_block_weights(Queue& queue, const BlockProductArgs& args, void* to) {
    if (args.n == 0) return;
    if (args.type == 10) launch_weights_of<half_t>(queue, args, to);
    else if (args.type == 16) launch_weights_of<bfloat_t>(queue, args, to);
    else launch_weights_of<float>(queue, args, to);
}

}  // namespace lapidary::cuda
