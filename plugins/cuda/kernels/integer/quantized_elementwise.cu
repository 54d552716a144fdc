// SPDX-License-Identifier: Apache-2.0
// Sums and products of two quantized tensors, and means of planes of quantized tensors.
#include "kernels/integer/quantized.h"
#include "kernels/integer/requantize.cuh"

namespace lapidary::cuda {
namespace {

/// Scales and zero points, loaded when a thread begins.
struct PairScales {
    float a_scale, b_scale, y_scale;
    int a_zero, b_zero;
    float y_zero;
    int type;
    bool is_product;

    GPU_METHOD explicit PairScales(const QuantizedPairArgs& args)
        : a_scale(*args.a_scale), b_scale(*args.b_scale), y_scale(*args.y_scale),
          a_zero(zero_at(args.a_zero, args.type, 0)), b_zero(zero_at(args.b_zero, args.type, 0)),
          y_zero(static_cast<float>(zero_at(args.y_zero, args.type, 0))), type(args.type),
          is_product(args.is_product) {}
    GPU_METHOD std::uint32_t level(int a, int b) const {
        const float x = static_cast<float>(a - a_zero) * a_scale,
                    y = static_cast<float>(b - b_zero) * b_scale;
        const float result = is_product ? x * y : x + y;
        return static_cast<std::uint32_t>(
                   level_within(type, std::rint(result / y_scale) + y_zero)) &
               0xffu;
    }
};

GPU_DEVICE int level_of_word(std::uint32_t word, int byte, int type) {
    const std::uint32_t bits = word >> (8 * byte) & 0xffu;
    return type == 2 ? static_cast<int>(bits) : static_cast<int>(static_cast<std::int8_t>(bits));
}

GPU_GLOBAL void quantized_pair(QuantizedPairArgs args, bool in_pieces) {
    kernel_begin();
    const PairScales scales(args);
    const int pieces = in_pieces ? args.count / 16 : 0;
    for (int i = global_thread(); i < pieces; i += all_threads()) {
        const Piece a =
            piece_at(static_cast<const std::uint8_t*>(args.a) + static_cast<long long>(i) * 16);
        const Piece b =
            piece_at(static_cast<const std::uint8_t*>(args.b) + static_cast<long long>(i) * 16);
        Piece y;
        GPU_UNROLL for (int w = 0; w < 4; ++w) {
            std::uint32_t word = 0;
            GPU_UNROLL for (int e = 0; e < 4; ++e) word |=
                scales.level(level_of_word(a.words[w], e, args.type),
                             level_of_word(b.words[w], e, args.type))
                << (8 * e);
            y.words[w] = word;
        }
        *reinterpret_cast<Piece*>(static_cast<std::uint8_t*>(args.y) +
                                  static_cast<long long>(i) * 16) = y;
    }
    for (int i = pieces * 16 + global_thread(); i < args.count; i += all_threads())
        static_cast<std::uint8_t*>(args.y)[i] = static_cast<std::uint8_t>(
            scales.level(integer_at(args.a, args.type, i), integer_at(args.b, args.type, i)));
}

constexpr int pool_threads = 256;

/// Uses a warp for each plane. Sums are integers and exact.
GPU_GLOBAL void quantized_mean(QuantizedMeanArgs args) {
    kernel_begin();
    const int lane = static_cast<int>(thread_index()) % 32;
    const int plane =
        static_cast<int>(block_x()) * (pool_threads / 32) + static_cast<int>(thread_index()) / 32;
    int sum = 0;
    if (plane < args.planes) {
        const long long first = static_cast<long long>(plane) * args.plane;
        GPU_UNROLL_4 for (int i = lane; i < args.plane; i += 32) sum +=
            integer_at(args.x, args.type, first + i);
    }
    GPU_UNROLL for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
    if (lane != 0 || plane >= args.planes) return;
    const int levels = sum - args.plane * zero_at(args.x_zero, args.type, 0);
    const float count = args.plane > 0 ? static_cast<float>(args.plane) : 1.0f;
    const float mean = static_cast<float>(levels) * *args.x_scale / count;
    const float level =
        std::rint(mean / *args.y_scale) + static_cast<float>(zero_at(args.y_zero, args.type, 0));
    static_cast<std::uint8_t*>(args.y)[plane] =
        static_cast<std::uint8_t>(level_within(args.type, level));
}

}  // namespace

void launch_quantized_pair(Queue& queue, const QuantizedPairArgs& args) {
    if (args.count == 0) return;
    const auto address = reinterpret_cast<std::uintptr_t>(args.a) |
                         reinterpret_cast<std::uintptr_t>(args.b) |
                         reinterpret_cast<std::uintptr_t>(args.y);
    const bool in_pieces = address % 16 == 0;
    const Grid grid = grid_for(in_pieces ? args.count / 16 + 1 : args.count);
    GPU_LAUNCH_FREE(quantized_pair, grid, free_threads, queue, args, in_pieces);
}

void launch_quantized_mean(Queue& queue, const QuantizedMeanArgs& args) {
    if (args.planes == 0) return;
    const Grid grid{static_cast<unsigned>((args.planes - 1) / (pool_threads / 32) + 1), 1, 1};
    constexpr unsigned threads = pool_threads;
    GPU_LAUNCH(quantized_mean, grid, threads, queue, args);
}

}  // namespace lapidary::cuda
