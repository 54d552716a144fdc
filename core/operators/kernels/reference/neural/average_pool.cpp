// SPDX-License-Identifier: Apache-2.0
// AveragePool (7, 10, 11, 19, 22) and LpPool (2, 11, 18, 22).
#include <cmath>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/pool_window.h"

namespace lapidary::reference {
namespace {

/// Calls channel(x, y) for every image and channel, in parallel.
template <typename T, typename Channel>
void for_each_channel(KernelContext& context, const PoolWindows& windows, const Tensor& x,
                      const Channel& channel) {
    Narrowed<T> output(context, context.output(0, x.dtype(), windows.output_shape(x.shape())));
    if (output.size() == 0) return;
    const Widened<T> input(context, x);
    context.threads().parallel_for(x.dim(0) * x.dim(1), 1,
                                   [&](std::int64_t begin, std::int64_t end) {
                                       for (std::int64_t i = begin; i < end; ++i) {
                                           context.cancel().throw_if_cancelled();
                                           channel(input.data() + i * windows.input_size(),
                                                   output.data() + i * windows.output_size());
                                       }
                                   });
    output.store();
}

}  // namespace

void average_pool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const PoolWindows windows(context.node(), x.shape());
    const bool counts_padding = context.node().int_attribute("count_include_pad", 0) != 0;
    dispatch_compute(x.dtype(), [&]<typename T>() {
        for_each_channel<T>(context, windows, x, [&](const T* from, T* to) {
            T sum = 0;
            std::int64_t inside = 0;
            windows.visit(
                [&] {
                    sum = 0;
                    inside = 0;
                },
                [&](std::int64_t offset) {
                    sum += from[offset];
                    ++inside;
                },
                [&](std::int64_t index, std::int64_t padded) {
                    const std::int64_t count = counts_padding ? padded : inside;
                    to[index] = count == 0 ? T(0) : sum / static_cast<T>(count);
                });
        });
    });
}

void lp_pool(KernelContext& context) {
    const Tensor& x = context.input(0);
    const PoolWindows windows(context.node(), x.shape());
    const std::int64_t p = context.node().int_attribute("p", 2);
    if (p < 1) fail_model("attribute p: expected at least 1, found " + std::to_string(p));
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const T power = static_cast<T>(p);
        for_each_channel<T>(context, windows, x, [&](const T* from, T* to) {
            T sum = 0;
            windows.visit(
                [&] { sum = 0; },
                [&](std::int64_t offset) { sum += std::pow(std::abs(from[offset]), power); },
                [&](std::int64_t index, std::int64_t) { to[index] = std::pow(sum, 1 / power); });
        });
    });
}

}  // namespace lapidary::reference
