// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/multi_cast.h"

#include "kernels/elementwise/convert.cuh"
#include "kernels/pieces.h"

namespace lapidary::cuda {
namespace {

// Room for the caches of a decoder with 12 layers in one launch.
constexpr int times = 4, of_block = block_of_conversion<float, half_t, times>;

/// Row y of the grid has the blocks of tensor y, which read only that tensor's arguments.
template <typename From, typename To>
GPU_GLOBAL void multi_cast(MultiCastArgs args) {
    kernel_begin();
    const MultiCastArgs::Tensor& tensor = args.tensor[block_y()];
    const long long first = static_cast<long long>(block_x()) * of_block;
    if (first >= tensor.elements) return;
    const From* const from = static_cast<const From*>(tensor.from) + first;
    To* const to = static_cast<To*>(tensor.to) + first;
    const int left = tensor.elements - static_cast<int>(first),
              count = left < of_block ? left : of_block;
    const auto begins =
        reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to);
    if (begins % piece_bytes == 0) convert_block<times, true>(from, to, count);
    else convert_block_by_element<times, true>(from, to, count);
}

unsigned blocks_of(const MultiCastArgs::Tensor& tensor) {
    return (static_cast<unsigned>(tensor.elements) + of_block - 1) / of_block;
}

void launch_rows(Queue& queue, const MultiCastArgs& args) {
    unsigned most = 0;
    for (int i = 0; i < args.tensors; ++i)
        most = blocks_of(args.tensor[i]) > most ? blocks_of(args.tensor[i]) : most;
    if (most == 0) return;
    const Grid grid{most, static_cast<unsigned>(args.tensors), 1};
    if (args.half_type == 10 && args.to_half)
        GPU_LAUNCH_FREE((multi_cast<float, half_t>), grid, free_threads, queue, args);
    else if (args.half_type == 10)
        GPU_LAUNCH_FREE((multi_cast<half_t, float>), grid, free_threads, queue, args);
    else if (args.to_half)
        GPU_LAUNCH_FREE((multi_cast<float, bfloat_t>), grid, free_threads, queue, args);
    else GPU_LAUNCH_FREE((multi_cast<bfloat_t, float>), grid, free_threads, queue, args);
}

}  // namespace

void launch_multi_cast(Queue& queue, const MultiCastArgs& args) {
    // blocks without work cost little beside these
    constexpr unsigned few = 64, times_of_most = 8;
    MultiCastArgs rows = args, alone = args;
    rows.tensors = 0;
    alone.tensors = 1;
    unsigned long long all = 0;
    for (int i = 0; i < args.tensors; ++i) all += blocks_of(args.tensor[i]);
    for (int i = 0; i < args.tensors; ++i) {
        const unsigned long long blocks = blocks_of(args.tensor[i]);
        if (blocks <= few || blocks * static_cast<unsigned>(args.tensors) <= times_of_most * all) {
            rows.tensor[rows.tensors++] = args.tensor[i];
            continue;
        }
        alone.tensor[0] = args.tensor[i];
        launch_rows(queue, alone);
    }
    launch_rows(queue, rows);
}

}  // namespace lapidary::cuda
