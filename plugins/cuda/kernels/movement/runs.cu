// SPDX-License-Identifier: Apache-2.0
// Copies of Concat and Split, all parts in one launch; each part has its own blocks.
#include "kernels/movement/copy_layout.h"
#include "kernels/divide.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

struct DividedRuns : RunsArgs {
    std::int32_t first_block[most_parts + 1] = {};
    std::uint32_t multiplier[most_parts] = {}, shift[most_parts] = {};  // dividers by the runs

    explicit DividedRuns(const RunsArgs& args) : RunsArgs(args) {
        for (int k = 0; k < parts; ++k) {
            const Divider by(part[k].run);
            multiplier[k] = by.multiplier;
            shift[k] = by.shift;
            const Grid grid = grid_for(static_cast<long long>(rows) * part[k].run);
            first_block[k + 1] = first_block[k] + static_cast<std::int32_t>(grid.x);
        }
    }
};

template <typename T>
GPU_GLOBAL void move_runs(DividedRuns args) {
    kernel_begin();
    const int block = static_cast<int>(block_x());
    int k = 0;
    while (block >= args.first_block[k + 1]) ++k;
    const int threads = static_cast<int>(thread_count()), run = args.part[k].run;
    const int first = (block - args.first_block[k]) * threads + static_cast<int>(thread_index());
    const int step = (args.first_block[k + 1] - args.first_block[k]) * threads;
    const T* const input = static_cast<const T*>(args.part[k].input);
    T* const output = static_cast<T*>(args.part[k].output);
    const long long input_pitch = args.part[k].input_pitch,
                    output_pitch = args.part[k].output_pitch;
    const std::uint32_t multiplier = args.multiplier[k], shift = args.shift[k];
    for (int i = first; i < args.rows * run; i += step) {
        const int row = quotient(i, multiplier, shift), at = i - row * run;
        output[row * output_pitch + at] = input[row * input_pitch + at];
    }
}

}  // namespace

void launch_runs(Queue& queue, RunsArgs args) {
    if (args.parts == 0 || args.rows == 0) return;
    args = widened(args);
    const DividedRuns divided(args);
    const Grid grid{static_cast<unsigned>(divided.first_block[args.parts]), 1, 1};
    if (args.element_bytes == 1)
        GPU_LAUNCH_FREE(move_runs<std::uint8_t>, grid, free_threads, queue, divided);
    else if (args.element_bytes == 2)
        GPU_LAUNCH_FREE(move_runs<std::uint16_t>, grid, free_threads, queue, divided);
    else if (args.element_bytes == 4)
        GPU_LAUNCH_FREE(move_runs<std::uint32_t>, grid, free_threads, queue, divided);
    else if (args.element_bytes == 8)
        GPU_LAUNCH_FREE(move_runs<unsigned long long>, grid, free_threads, queue, divided);
    else GPU_LAUNCH_FREE(move_runs<Piece>, grid, free_threads, queue, divided);
}

}  // namespace lapidary::cuda
