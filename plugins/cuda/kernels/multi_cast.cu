// SPDX-License-Identifier: Apache-2.0
#include "kernels/multi_cast.h"

#include "kernels/convert.cuh"
#include "kernels/pieces.h"

namespace lapidary::cuda {
namespace {

struct BlocksOfTensors {
    std::int32_t first[most_casts + 1];
};

constexpr int of_block = block_of_conversion<float, half_t>;

/// A block has of_block neighbours of one tensor.
template <typename From, typename To>
GPU_GLOBAL void multi_cast(MultiCastArgs args, BlocksOfTensors blocks) {
    kernel_begin();
    const int block = static_cast<int>(block_x());
    int tensor = 0;
    while (block >= blocks.first[tensor + 1]) ++tensor;
    const From* const from = static_cast<const From*>(args.from[tensor]);
    To* const to = static_cast<To*>(args.to[tensor]);
    const int first = (block - blocks.first[tensor]) * of_block;
    const int left = args.elements[tensor] - first, count = left < of_block ? left : of_block;
    const auto begins = reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to);
    if (begins % piece_bytes == 0) convert_block(from + first, to + first, count);
    else convert_block_by_element(from + first, to + first, count);
}

}  // namespace

void launch_multi_cast(Queue& queue, const MultiCastArgs& args) {
    BlocksOfTensors blocks{};
    for (int i = 0; i < args.tensors; ++i) {
        const std::int64_t of_tensor = (std::int64_t{args.elements[i]} + of_block - 1) / of_block;
        blocks.first[i + 1] = blocks.first[i] + static_cast<std::int32_t>(of_tensor);
    }
    const Grid grid{static_cast<unsigned>(blocks.first[args.tensors]), 1, 1};
    if (grid.x == 0) return;
    if (args.half_type == 10 && args.to_half)
        GPU_LAUNCH_FREE((multi_cast<float, half_t>), grid, free_threads, queue, args, blocks);
    else if (args.half_type == 10)
        GPU_LAUNCH_FREE((multi_cast<half_t, float>), grid, free_threads, queue, args, blocks);
    else if (args.to_half) GPU_LAUNCH_FREE((multi_cast<float, bfloat_t>), grid, free_threads, queue, args, blocks);
    else GPU_LAUNCH_FREE((multi_cast<bfloat_t, float>), grid, free_threads, queue, args, blocks);
}

}  // namespace lapidary::cuda
