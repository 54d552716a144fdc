// SPDX-License-Identifier: Apache-2.0
#include "kernels/normalization/normalization.h"

#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

constexpr int most_kept = 8;  // elements of a row that a thread keeps in registers
constexpr int threads = static_cast<int>(reduce_threads);

/// Element i of a row, with the residuals added.
GPU_DEVICE float element_of(const NormalizeArgs& args, long long base, int i) {
    float x = load_as<float>(args.input, args.type, base + i);
    if (args.skip) x += load_as<float>(args.skip, args.type, (base + i) % args.skip_count);
    if (args.addend) x += load_as<float>(args.addend, args.type, i);
    return x;
}

/// One row per block: adds the residuals, computes the mean, then the mean of squared differences,
/// then the result. `each(use)` calls use(i, x) for the thread's elements.
template <typename Each>
GPU_DEVICE void normalize_row(const NormalizeArgs& args, int row, long long base,
                              const Each& each) {
    float mean = 0;
    if (!args.is_root_mean_square) {
        each([&](int, float x) { mean += x; });
        mean = block_sum(mean) / static_cast<float>(args.width);
    }
    float square = 0;
    each([&](int, float x) { square += (x - mean) * (x - mean); });
    square = block_sum(square) / static_cast<float>(args.width);
    const float inverse = 1.0f / std::sqrt(square + args.epsilon);
    const int group = row % args.row_groups * args.channels_per_row;
    each([&](int i, float x) {
        const int channel = group + i / args.spatial;
        float y = (x - mean) * inverse;
        if (args.scale) y *= load_as<float>(args.scale, args.scale_type, channel);
        if (args.bias) y += load_as<float>(args.bias, args.scale_type, channel);
        store_as<float>(args.output, args.type, base + i, y);
        if (args.sum) store_as<float>(args.sum, args.type, base + i, x);
    });
    if (thread_index() == 0 && args.mean) static_cast<float*>(args.mean)[row] = mean;
    if (thread_index() == 0 && args.inverse_deviation)
        static_cast<float*>(args.inverse_deviation)[row] = inverse;
}

/// `in_registers`: each thread has at most most_kept elements of a row, so it reads them only once.
template <bool in_registers>
GPU_GLOBAL void normalize(NormalizeArgs args) {
    kernel_begin();
    const int thread = static_cast<int>(thread_index());
    for (int row = static_cast<int>(block_x()); row < args.rows;
         row += static_cast<int>(grid_x())) {
        const long long base = static_cast<long long>(row) * args.width;
        if constexpr (in_registers) {
            float kept[most_kept];
            GPU_UNROLL for (int j = 0; j < most_kept; ++j) {
                const int i = thread + j * threads;
                kept[j] = i < args.width ? element_of(args, base, i) : 0.0f;
            }
            normalize_row(args, row, base, [&](const auto& use) {
                GPU_UNROLL for (int j = 0; j < most_kept;
                                ++j) if (thread + j * threads < args.width)
                    use(thread + j * threads, kept[j]);
            });
        } else {
            normalize_row(args, row, base, [&](const auto& use) {
                for (int i = thread; i < args.width; i += threads)
                    use(i, element_of(args, base, i));
            });
        }
    }
}

}  // namespace

void launch_normalize(Queue& queue, const NormalizeArgs& args) {
    if (args.rows == 0 || args.width == 0) return;
    if (are_rows_of_pieces(args)) return launch_normalize_pieces(queue, args);
    const Grid grid{static_cast<unsigned>(args.rows < 65535 ? args.rows : 65535), 1, 1};
    if (args.width <= most_kept * threads)
        GPU_LAUNCH(normalize<true>, grid, reduce_threads, queue, args);
    else GPU_LAUNCH(normalize<false>, grid, reduce_threads, queue, args);
}

}  // namespace lapidary::cuda
