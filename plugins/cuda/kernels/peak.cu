// SPDX-License-Identifier: Apache-2.0
#include "kernels/peak.h"

#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {
namespace {

constexpr unsigned peak_threads = 256;
constexpr int chains = 16, tiles = 8;  // independent operations in flight

/// Sums that converge to 2. The compiler cannot know that, so it does not remove the work.
GPU_GLOBAL void multiply_numbers(int rounds, float factor, float addend, float impossible,
                                 float* never) {
    kernel_begin();
    float sum[chains];
    GPU_UNROLL for (int i = 0; i < chains; ++i) sum[i] =
        static_cast<float>(thread_index() + static_cast<unsigned>(i));
    for (int round = 0; round < rounds; ++round)
        GPU_UNROLL for (int i = 0; i < chains; ++i) sum[i] = multiply_add(sum[i], factor, addend);
    float all = 0;
    GPU_UNROLL for (int i = 0; i < chains; ++i) all += sum[i];
    if (all == impossible) *never = all;
}

/// Tiles of numbers near 1 and -1 that differ between threads: multiplying zeros would take less
/// power and run faster.
template <typename Multiply>
GPU_GLOBAL void multiply_tiles(int rounds, float impossible, float* never) {
    kernel_begin();
    const int lane = static_cast<int>(thread_index()) % 32;
    std::uint32_t a[4], b[2];
    GPU_UNROLL for (int i = 0; i < 4; ++i) {
        const float x = 1.0f + static_cast<float>(lane + i) / 64.0f;
        a[i] = Multiply::pack(x, 0.5f - x);
    }
    GPU_UNROLL for (int i = 0; i < 2; ++i) {
        const float x = (i == 0 ? 1.0f : -1.0f) + static_cast<float>(lane) / 64.0f;
        b[i] = Multiply::pack(x, x);
    }
    float sum[tiles][4] = {};
    for (int round = 0; round < rounds; ++round)
        GPU_UNROLL for (int i = 0; i < tiles; ++i) Multiply::multiply(sum[i], a, b);
    float all = 0;
    GPU_UNROLL for (int i = 0; i < tiles; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) all +=
        sum[i][j];
    if (all == impossible) *never = all;
}

/// Bytes of a are even, and so are all sums; the compiler cannot know that an odd sum never occurs.
GPU_GLOBAL void multiply_byte_tiles(int rounds, int impossible, int* never) {
    kernel_begin();
    const std::uint32_t lane = thread_index() % 32;
    std::uint32_t a[4], b[2];
    GPU_UNROLL for (std::uint32_t i = 0; i < 4; ++i) a[i] =
        (0x9d43b57au + 0x01030509u * (lane + i)) & 0xfefefefeu;
    GPU_UNROLL for (std::uint32_t i = 0; i < 2; ++i) b[i] = 0x5ac38e71u + 0x03050701u * (lane + i);
    int sum[tiles][4] = {};
    for (int round = 0; round < rounds; ++round)
        GPU_UNROLL for (int i = 0; i < tiles; ++i) mma_s8(sum[i], a, b);
    int all = 0;
    GPU_UNROLL for (int i = 0; i < tiles; ++i) GPU_UNROLL for (int j = 0; j < 4; ++j) all =
        multiply_add(sum[i][j], 1, all);
    if (all == impossible) *never = all;
}

GPU_GLOBAL void read_memory(const Piece* data, int pieces, int rounds, std::uint32_t impossible,
                            std::uint32_t* never) {
    kernel_begin();
    std::uint32_t sum = 0;
    for (int round = 0; round < rounds; ++round)
        for (int i = global_thread(); i < pieces; i += all_threads()) {
            const Piece piece = data[i];
            sum += piece.words[0] ^ piece.words[1] ^ piece.words[2] ^ piece.words[3];
        }
    if (sum == impossible) *never = sum;
}

/// Operations of one warp, or of one thread where threads multiply by themselves.
double operations_of_round(PeakKind kind) {
    switch (kind) {
    case PeakKind::tf32: return 2.0 * 16 * 8 * 8 * tiles;
    case PeakKind::float16:
    case PeakKind::bfloat16: return 2.0 * 16 * 8 * 16 * tiles;
    case PeakKind::int8: return 2.0 * 16 * 8 * 32 * tiles;
    default: return 2.0 * chains;
    }
}

}  // namespace

void launch_peak(Queue& queue, PeakKind kind, int blocks, int rounds, void* never) {
    const Grid grid{static_cast<unsigned>(blocks), 1, 1};
    auto* const to = static_cast<float*>(never);
    switch (kind) {
    case PeakKind::float32:
        GPU_LAUNCH_FREE(multiply_numbers, grid, peak_threads, queue, rounds, 0.5f, 1.0f, -1.0f, to);
        break;
    case PeakKind::tf32:
        GPU_LAUNCH(multiply_tiles<MultiplyTf32>, grid, peak_threads, queue, rounds, 0.3f, to);
        break;
    case PeakKind::float16:
        GPU_LAUNCH(multiply_tiles<MultiplyF16>, grid, peak_threads, queue, rounds, 0.3f, to);
        break;
    case PeakKind::bfloat16:
        GPU_LAUNCH(multiply_tiles<MultiplyBf16>, grid, peak_threads, queue, rounds, 0.3f, to);
        break;
    case PeakKind::int8:
        GPU_LAUNCH(multiply_byte_tiles, grid, peak_threads, queue, rounds, 1,
                   static_cast<int*>(never));
        break;
    }
}

double operations_of(PeakKind kind, int blocks, int rounds) {
    const bool is_by_warps = kind != PeakKind::float32;
    return operations_of_round(kind) * blocks * (is_by_warps ? peak_threads / 32 : peak_threads) *
           rounds;
}

void launch_reading(Queue& queue, const void* data, std::int64_t bytes, int blocks, int rounds,
                    void* never) {
    const Grid grid{static_cast<unsigned>(blocks), 1, 1};
    GPU_LAUNCH_FREE(read_memory, grid, peak_threads, queue, static_cast<const Piece*>(data),
                    static_cast<int>(bytes / 16), rounds, 0x9e3779b9u,
                    static_cast<std::uint32_t*>(never));
}

}  // namespace lapidary::cuda
