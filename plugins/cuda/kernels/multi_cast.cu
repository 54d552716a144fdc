// SPDX-License-Identifier: Apache-2.0
#include "kernels/multi_cast.h"

#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

constexpr int threads = static_cast<int>(free_threads), quads = 4, of_block = 4 * quads * threads;

struct BlocksOfTensors {
    std::int32_t first[most_casts + 1];
};

template <typename T>
struct alignas(4 * sizeof(T)) Four {
    T of[4];
};

template <typename T>
GPU_DEVICE bool lies_in_fours(const T* p) {
    return reinterpret_cast<std::uintptr_t>(p) % sizeof(Four<T>) == 0;
}

/// A block has of_block neighbours of one tensor, a thread four of them here and there, so that neighbours read
/// neighbours.
template <typename From, typename To>
GPU_GLOBAL void multi_cast(MultiCastArgs args, BlocksOfTensors blocks) {
    kernel_begin();
    const int block = static_cast<int>(block_x());
    int tensor = 0;
    while (block >= blocks.first[tensor + 1]) ++tensor;
    const From* const from = static_cast<const From*>(args.from[tensor]);
    To* const to = static_cast<To*>(args.to[tensor]);
    const int first = (block - blocks.first[tensor]) * of_block + static_cast<int>(thread_index()) * 4;
    const int count = args.elements[tensor];
    if (lies_in_fours(from) && lies_in_fours(to)) {
        Four<From> x[quads] = {};
        GPU_UNROLL for (int q = 0; q < quads; ++q) {
            const int at = first + q * 4 * threads;
            if (at + 4 <= count) x[q] = *reinterpret_cast<const Four<From>*>(from + at);
        }
        GPU_UNROLL for (int q = 0; q < quads; ++q) {
            const int at = first + q * 4 * threads;
            Four<To> y;
            GPU_UNROLL for (int i = 0; i < 4; ++i) store_element(y.of + i, load_element(x[q].of + i));
            if (at + 4 <= count) *reinterpret_cast<Four<To>*>(to + at) = y;
            else
                for (int i = at; i < count; ++i) store_element(to + i, load_element(from + i));
        }
        return;
    }
    for (int q = 0; q < quads; ++q)
        for (int i = first + q * 4 * threads, end = i + 4; i < end && i < count; ++i)
            store_element(to + i, load_element(from + i));
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
