// SPDX-License-Identifier: Apache-2.0
// Quantizes floats to 8 bits and back: 16 elements per thread where neighbours share a scale.
#include "kernels/block_reduce.cuh"
#include "kernels/product/product_parts.cuh"
#include "kernels/integer/quantized.h"
#include "kernels/integer/requantize.cuh"

namespace lapidary::cuda {
namespace {

constexpr int together = 16;  // elements of a thread

GPU_DEVICE int level_of(const QuantizeArgs& args, float x, float scale, float zero) {
    return level_within(args.integer_type, std::rint(x / scale) + zero);
}

/// Each `together` neighbours share a scale, and all tensors lie in pieces of 16 bytes.
GPU_GLOBAL void quantize_pieces(QuantizeArgs args) {
    kernel_begin();
    const int pieces = args.count / together, inner = args.inner / together;
    for (int i = global_thread(); i < pieces; i += all_threads()) {
        const int of = args.parameters == 1 ? 0 : i / inner % args.parameters;
        Piece in[4], out;
        GPU_UNROLL for (int w = 0; w < 4; ++w) in[w] = piece_at(
            static_cast<const float*>(args.x) + static_cast<long long>(i) * together + w * 4);
        const float scale = args.scale[of],
                    zero = static_cast<float>(zero_at(args.zero, args.integer_type, of));
        GPU_UNROLL for (int w = 0; w < 4; ++w) {
            std::uint32_t word = 0;
            GPU_UNROLL for (int e = 0; e < 4; ++e) word |=
                (static_cast<std::uint32_t>(level_of(args, float_of(in[w].words[e]), scale, zero)) &
                 0xffu)
                << (8 * e);
            out.words[w] = word;
        }
        *reinterpret_cast<Piece*>(static_cast<std::uint8_t*>(args.y) +
                                  static_cast<long long>(i) * together) = out;
    }
}

GPU_GLOBAL void dequantize_pieces(QuantizeArgs args) {
    kernel_begin();
    const int pieces = args.count / together, inner = args.inner / together;
    for (int i = global_thread(); i < pieces; i += all_threads()) {
        const int of = args.parameters == 1 ? 0 : i / inner % args.parameters;
        const Piece in = piece_at(static_cast<const std::uint8_t*>(args.x) +
                                  static_cast<long long>(i) * together);
        const float scale = args.scale[of];
        const int zero = zero_at(args.zero, args.integer_type, of);
        GPU_UNROLL for (int w = 0; w < 4; ++w) {
            Piece out;
            GPU_UNROLL for (int e = 0; e < 4; ++e) {
                const std::uint32_t byte = in.words[w] >> (8 * e) & 0xffu;
                const int level = args.integer_type == 2
                                      ? static_cast<int>(byte)
                                      : static_cast<int>(static_cast<std::int8_t>(byte));
                out.words[e] = bits_of(static_cast<float>(level - zero) * scale);
            }
            *reinterpret_cast<Piece*>(static_cast<float*>(args.y) +
                                      static_cast<long long>(i) * together + w * 4) = out;
        }
    }
}

GPU_GLOBAL void quantize(QuantizeArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        const int of = i / args.inner % args.parameters;
        const float zero = static_cast<float>(zero_at(args.zero, args.integer_type, of));
        static_cast<std::uint8_t*>(args.y)[i] = static_cast<std::uint8_t>(
            level_of(args, static_cast<const float*>(args.x)[i], args.scale[of], zero));
    }
}

GPU_GLOBAL void dequantize(QuantizeArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        const int of = i / args.inner % args.parameters;
        const int level =
            integer_at(args.x, args.integer_type, i) - zero_at(args.zero, args.integer_type, of);
        static_cast<float*>(args.y)[i] = static_cast<float>(level) * args.scale[of];
    }
}

struct Smaller {
    GPU_METHOD float operator()(float a, float b) const { return a < b ? a : b; }
};
struct Greater {
    GPU_METHOD float operator()(float a, float b) const { return a > b ? a : b; }
};

/// Computes scale and zero point from the range of all blocks; the last block to end does the final
/// step. `partial`: the range of each block.
GPU_GLOBAL void dynamic_range(const float* x, int count, float* partial, unsigned* counter,
                              float* scale, std::uint8_t* zero, bool in_pieces) {
    kernel_begin();
    const int thread = global_thread(), threads = all_threads(), pieces = in_pieces ? count / 4 : 0;
    float low = 0, high = 0;
    const auto take = [&](float v) {
        low = Smaller()(v, low);
        high = Greater()(v, high);
    };
    GPU_UNROLL_4 for (int i = thread; i < pieces; i += threads) {
        const Piece piece = piece_at(x + static_cast<long long>(i) * 4);
        GPU_UNROLL for (int e = 0; e < 4; ++e) take(float_of(piece.words[e]));
    }
    for (int i = pieces * 4 + thread; i < count; i += threads) take(x[i]);
    const int blocks = static_cast<int>(grid_x()), block = static_cast<int>(block_x());
    low = block_reduce(low, Smaller());
    high = block_reduce(high, Greater());
    if (thread_index() == 0) {
        partial[2 * block] = low;
        partial[2 * block + 1] = high;
    }
    if (!is_last_part(counter, blocks)) return;
    for (int i = static_cast<int>(thread_index()); i < blocks;
         i += static_cast<int>(reduce_threads)) {
        take(load_fresh(partial + 2 * i));
        take(load_fresh(partial + 2 * i + 1));
    }
    low = block_reduce(low, Smaller());
    high = block_reduce(high, Greater());
    if (thread_index() != 0) return;
    const float step = high == low ? 1.0f : (high - low) / 255.0f;
    *scale = step;
    *zero = static_cast<std::uint8_t>(std::rint(clipped(0.0f - low / step, 0.0f, 255.0f)));
}

bool is_in_pieces(const QuantizeArgs& args) {
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.x) | reinterpret_cast<std::uintptr_t>(args.y);
    return args.count % together == 0 && address % 16 == 0 &&
           (args.parameters == 1 || args.inner % together == 0);
}

}  // namespace

void launch_quantize(Queue& queue, const QuantizeArgs& args) {
    if (args.count == 0) return;
    const Grid pieces = grid_for(args.count / together);
    if (is_in_pieces(args)) GPU_LAUNCH_FREE(quantize_pieces, pieces, free_threads, queue, args);
    else GPU_LAUNCH_FREE(quantize, grid_for(args.count), free_threads, queue, args);
}

void launch_dequantize(Queue& queue, const QuantizeArgs& args) {
    if (args.count == 0) return;
    if (is_in_pieces(args) && args.integer_type != 6)
        GPU_LAUNCH_FREE(dequantize_pieces, grid_for(args.count / together), free_threads, queue,
                        args);
    else GPU_LAUNCH_FREE(dequantize, grid_for(args.count), free_threads, queue, args);
}

void launch_dynamic_range(Queue& queue, const float* x, std::int32_t count, float* scale,
                          std::uint8_t* zero, float* partial) {
    constexpr int of_block = 4 * static_cast<int>(reduce_threads);  // elements, at least
    const int blocks = count / of_block < range_blocks ? count / of_block : range_blocks;
    const Grid grid{static_cast<unsigned>(blocks > 0 ? blocks : 1), 1, 1};
    unsigned* const counter = queue.counters;
    const bool in_pieces = reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
    GPU_LAUNCH(dynamic_range, grid, reduce_threads, queue, x, count, partial, counter, scale, zero,
               in_pieces);
}

}  // namespace lapidary::cuda
