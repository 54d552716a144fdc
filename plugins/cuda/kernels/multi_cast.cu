// SPDX-License-Identifier: Apache-2.0
#include "kernels/multi_cast.h"

#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

constexpr int of_thread = 8, of_block = of_thread * static_cast<int>(free_threads);

struct BlocksOfTensors {
    std::int32_t first[most_casts + 1];
};

template <typename T>
struct alignas(16) Eight {
    T of[of_thread];
};

template <typename T>
GPU_DEVICE bool lies_in_pieces(const T* p) {
    return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

/// A block has of_block neighbours of one tensor.
template <typename From, typename To>
GPU_GLOBAL void multi_cast(MultiCastArgs args, BlocksOfTensors blocks) {
    kernel_begin();
    const int block = static_cast<int>(block_x());
    int tensor = 0;
    while (block >= blocks.first[tensor + 1]) ++tensor;
    const From* const from = static_cast<const From*>(args.from[tensor]);
    To* const to = static_cast<To*>(args.to[tensor]);
    const int at = (block - blocks.first[tensor]) * of_block + static_cast<int>(thread_index()) * of_thread;
    const int count = args.elements[tensor] - at;
    if (count >= of_thread && lies_in_pieces(from) && lies_in_pieces(to)) {
        const Eight<From> x = *reinterpret_cast<const Eight<From>*>(from + at);
        Eight<To> y;
        GPU_UNROLL for (int i = 0; i < of_thread; ++i) store_element(y.of + i, load_element(x.of + i));
        *reinterpret_cast<Eight<To>*>(to + at) = y;
        return;
    }
    for (int i = 0; i < of_thread && i < count; ++i) store_element(to + at + i, load_element(from + at + i));
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
    else if (args.to_half)
        GPU_LAUNCH_FREE((multi_cast<float, bfloat_t>), grid, free_threads, queue, args, blocks);
    else GPU_LAUNCH_FREE((multi_cast<bfloat_t, float>), grid, free_threads, queue, args, blocks);
}

}  // namespace lapidary::cuda
