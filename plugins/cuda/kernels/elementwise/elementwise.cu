// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/elementwise.h"

#include "kernels/elementwise/elementwise_steps.cuh"
#include "kernels/load_store.cuh"
#include "kernels/elementwise/make_chain.h"

namespace lapidary::cuda {
namespace {

template <typename C>
GPU_DEVICE C load_operand(const ElementwiseArgs& args, int input, const int* coordinates) {
    const ElementwiseInput& in = args.input[input];
    long long offset = 0;
    for (int axis = 0; axis < args.axes; ++axis)
        offset += static_cast<long long>(coordinates[axis]) * in.strides[axis];
    return load_as<C>(in.data, in.type, offset);
}

template <typename C>
GPU_GLOBAL void elementwise(ElementwiseArgs args, Fault* fault) {
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        int at[max_axes], rest = i;
        for (int axis = args.axes - 1; axis > 0; --axis) {
            at[axis] = rest % args.dims[axis];
            rest /= args.dims[axis];
        }
        at[0] = rest;
        C values[max_inputs + max_steps];
        for (int k = 0; k < args.inputs; ++k) values[k] = load_operand<C>(args, k, at);
        C result = values[0];
        for (int k = 0; k < args.steps; ++k) {
            const Step& s = args.step[k];
            const C alpha = static_cast<C>(s.alpha);
            const C x = s.x == constant_operand ? alpha : values[s.x];
            const C y = s.y == constant_operand ? alpha : values[s.y];
            const C z = s.z == constant_operand ? alpha : values[s.z];
            if constexpr (C(1) / C(2) == C(0))
                if (y == 0 &&
                    (s.op == Op::div || s.op == Op::floored_mod || s.op == Op::truncated_mod))
                    report_fault(fault, division_by_zero, args.node, x, 0);
            result = apply_step(s, x, y, z);
            values[max_inputs + k] = result;
        }
        store_as<C>(args.output, args.output_type, i, result);
    }
}

}  // namespace

void launch_elementwise(Queue& queue, const ElementwiseArgs& args) {
    if (args.count == 0) return;
    if (is_conversion_of_pieces(args)) return launch_conversion(queue, args);
    if (is_conversion_of_integers(args)) return launch_integer_conversion(queue, args);
    ChainArgs chain;
    if (make_chain(args, chain)) return launch_chain(queue, chain);
    const Grid grid = grid_for(args.count);
    if (args.domain == Domain::floats)
        GPU_LAUNCH_FREE(elementwise<float>, grid, free_threads, queue, args, queue.fault);
    else if (args.domain == Domain::doubles)
        GPU_LAUNCH_FREE(elementwise<double>, grid, free_threads, queue, args, queue.fault);
    else GPU_LAUNCH_FREE(elementwise<long long>, grid, free_threads, queue, args, queue.fault);
}

}  // namespace lapidary::cuda
