// SPDX-License-Identifier: Apache-2.0
// Normalizes rows in pieces of 16 bytes: a warp per row; a block per row, which it keeps in
// registers; or a block that reads a long row three times.
#include "kernels/normalization/normalize_row.cuh"

namespace lapidary::cuda {
namespace {

constexpr int block_threads = 256, long_threads = 512;
constexpr int most_block_width = 8192;

template <typename T, int kept>
GPU_GLOBAL void normalize_by_warps(NormalizeArgs args) {
    const int lane = static_cast<int>(thread_index()) % 32;
    fetch_channels<T, kept>(args, lane);
    kernel_begin();
    for (int row = global_thread() / 32; row < args.rows; row += all_threads() / 32) {
        float x[kept][per_piece<T>];
        load_row<T, 32>(args, row, lane, x);
        normalize_kept_row<T, 32>(args, row, lane, x);
    }
}

template <typename T, int kept>
GPU_GLOBAL void normalize_by_blocks(NormalizeArgs args) {
    kernel_begin();
    const int thread = static_cast<int>(thread_index());
    for (int row = static_cast<int>(block_x()); row < args.rows;
         row += static_cast<int>(grid_x())) {
        float x[kept][per_piece<T>];
        load_row<T, block_threads>(args, row, thread, x);
        normalize_kept_row<T, block_threads>(args, row, thread, x);
    }
}

template <typename T>
GPU_GLOBAL void normalize_long(NormalizeArgs args) {
    kernel_begin();
    constexpr int per = per_piece<T>;
    const int row = static_cast<int>(block_x()), thread = static_cast<int>(thread_index());
    const long long base = static_cast<long long>(row) * args.width;
    const T* const input = static_cast<const T*>(args.input) + base;
    const T* const skip = row_of_skip<T>(args, row);
    const auto each = [&](const auto& use) {
        GPU_UNROLL_4 for (int first = thread * per; first < args.width;
                          first += long_threads * per) {
            float x[per];
            elements_of<T>(piece_at(input + first), x);
            if (args.skip) add_piece<T>(x, piece_at(skip + first));
            if (args.addend) add_piece<T>(x, piece_at(static_cast<const T*>(args.addend) + first));
            use(first, x);
        }
    };
    float mean = 0, square = 0;
    if (!args.is_root_mean_square) {
        each([&](int, const float(&x)[per]) {
            GPU_UNROLL for (int i = 0; i < per; ++i) mean += x[i];
        });
        mean = block_sum<long_threads>(mean) / static_cast<float>(args.width);
    }
    each([&](int, const float(&x)[per]) {
        GPU_UNROLL for (int i = 0; i < per; ++i) square += (x[i] - mean) * (x[i] - mean);
    });
    square = block_sum<long_threads>(square) / static_cast<float>(args.width);
    const float inverse = 1.0f / std::sqrt(square + args.epsilon);
    const int group = args.row_groups == 1 ? 0 : row % args.row_groups * args.channels_per_row;
    each([&](int first, const float(&x)[per]) {
        ChannelFactors<T> factors;
        factors.load(args, group, first);
        float y[per];
        GPU_UNROLL for (int i = 0; i < per; ++i) y[i] = (x[i] - mean) * inverse;
        factors.apply(args, y);
        if (args.sum) store_piece(static_cast<T*>(args.sum) + base + first, piece_of<T>(x));
        store_piece(static_cast<T*>(args.output) + base + first, piece_of<T>(y));
    });
    store_measures(args, row, thread, mean, inverse);
}

template <typename T>
void launch_rows(Queue& queue, const NormalizeArgs& args) {
    const int pieces = args.width / per_piece<T>;
    const Grid grid{static_cast<unsigned>(args.rows), 1, 1};
    if (args.width <= most_warp_width) {
        const unsigned threads = threads_of_warps(args.rows);
        constexpr int step = per_piece<half_t> / per_piece<T>;
        constexpr std::int32_t few = 264;  // rows: two for each multiprocessor of a large device
        with_pieces<step, 2 * step, 3 * step, 4 * step>((pieces + 31) / 32, [&]<int kept>() {
            prefer_shared_memory(queue, normalize_by_warps<T, kept>, args.rows <= few);
            GPU_LAUNCH((normalize_by_warps<T, kept>), grid_of_warps(args.rows, threads), threads,
                       queue, args);
        });
    } else if (args.width <= most_block_width) {
        constexpr int most = most_block_width / block_threads / per_piece<T>;
        with_pieces<1, 2, most>((pieces + block_threads - 1) / block_threads, [&]<int kept>() {
            GPU_LAUNCH((normalize_by_blocks<T, kept>), grid, block_threads, queue, args);
        });
    } else {
        GPU_LAUNCH(normalize_long<T>, grid, long_threads, queue, args);
    }
}

}  // namespace

void launch_normalize_pieces(Queue& queue, const NormalizeArgs& args) {
    with_float_type(args.type, [&]<typename T>() { launch_rows<T>(queue, args); });
}

}  // namespace lapidary::cuda
