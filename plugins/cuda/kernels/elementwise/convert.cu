// SPDX-License-Identifier: Apache-2.0
// Casts of contiguous tensors.
#include "kernels/elementwise/convert.cuh"

#include "kernels/elementwise/chain.h"
#include "kernels/typed.cuh"

namespace lapidary::cuda {
namespace {

template <typename From, typename To>
GPU_GLOBAL void convert(const From* input, To* output, int count) {
    kernel_begin();
    constexpr int per = block_of_conversion<From, To>;
    for (long long first = static_cast<long long>(block_x()) * per; first < count;
         first += static_cast<long long>(grid_x()) * per) {
        const int left = count - static_cast<int>(first);
        convert_block(input + first, output + first, left < per ? left : per);
    }
}

GPU_DEVICE void store_integer(std::int64_t* p, std::int64_t v) { *p = v; }
GPU_DEVICE void store_integer(std::int32_t* p, std::int64_t v) {
    *p = static_cast<std::int32_t>(v);
}
GPU_DEVICE void store_integer(float* p, std::int64_t v) { *p = static_cast<float>(v); }
GPU_DEVICE void store_integer(half_t* p, std::int64_t v) { *p = to_half(static_cast<float>(v)); }

template <typename From, typename To>
GPU_GLOBAL void convert_integers(const From* input, To* output, int count) {
    kernel_begin();
    for (int i = global_thread(); i < count; i += all_threads()) {
        const auto v = static_cast<std::int64_t>(input[i]);
        // a From of one byte is bool
        store_integer(output + i, sizeof(From) == 1 && v != 0 ? 1 : v);
    }
}

template <typename From>
void launch_integers(Queue& queue, const ElementwiseArgs& args) {
    const std::int32_t count = args.count;
    const From* const from = static_cast<const From*>(args.input[0].data);
    const auto launch = [&]<typename To>(To* to) {
        GPU_LAUNCH_FREE((convert_integers<From, To>), grid_for(count), free_threads, queue, from,
                        to, count);
    };
    if (args.output_type == 7) launch(static_cast<std::int64_t*>(args.output));
    else if (args.output_type == 6) launch(static_cast<std::int32_t*>(args.output));
    else if (args.output_type == 1) launch(static_cast<float*>(args.output));
    else launch(static_cast<half_t*>(args.output));
}

}  // namespace

void launch_conversion(Queue& queue, const ElementwiseArgs& args) {
    const std::int32_t count = args.count;
    with_float_type(args.input[0].type, [&]<typename From>() {
        with_float_type(args.output_type, [&]<typename To>() {
            const From* const from = static_cast<const From*>(args.input[0].data);
            To* const to = static_cast<To*>(args.output);
            const int blocks = (count - 1) / block_of_conversion<From, To> + 1;
            const Grid grid{static_cast<unsigned>(blocks < 4096 ? blocks : 4096), 1, 1};
            if constexpr (!std::is_same_v<From, To>)
                GPU_LAUNCH_FREE((convert<From, To>), grid, free_threads, queue, from, to, count);
        });
    });
}

void launch_integer_conversion(Queue& queue, const ElementwiseArgs& args) {
    if (args.input[0].type == 7) launch_integers<std::int64_t>(queue, args);
    else if (args.input[0].type == 6) launch_integers<std::int32_t>(queue, args);
    else launch_integers<std::uint8_t>(queue, args);
}

}  // namespace lapidary::cuda
