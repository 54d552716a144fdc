// SPDX-License-Identifier: Apache-2.0
// GlobalAveragePool, GlobalMaxPool (1, 22) and GlobalLpPool (2, 22): one value per image and
// channel.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

/// Writes reduce(first, count) of every channel; count may be 0.
template <typename Reduce>
void pool_channels(KernelContext& context, const Reduce& reduce) {
    const Tensor& x = context.input(0);
    if (x.rank() < 2)
        fail_input(context.node().op_type + ": expected X [N, C, spatial...], found " +
                   to_string(x.shape()));
    Shape shape(x.shape().size(), 1);
    std::copy_n(x.shape().begin(), 2, shape.begin());
    dispatch_compute(x.dtype(), [&]<typename T>() {
        Narrowed<T> output(context, context.output(0, x.dtype(), shape));
        if (output.size() == 0) return;
        const Widened<T> input(context, x);
        const std::int64_t channels = output.size(), size = x.size() / channels;
        context.threads().parallel_for(channels, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                context.cancel().throw_if_cancelled();
                output[i] = reduce(input.data() + i * size, size);
            }
        });
        output.store();
    });
}

}  // namespace

void global_average_pool(KernelContext& context) {
    pool_channels(context, []<typename T>(const T* x, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i) sum += x[i];
        return count == 0 ? T(0) : static_cast<T>(sum / static_cast<double>(count));
    });
}

void global_max_pool(KernelContext& context) {
    pool_channels(context, []<typename T>(const T* x, std::int64_t count) {
        T most = count == 0 ? T(0) : -std::numeric_limits<T>::infinity();
        for (std::int64_t i = 0; i < count; ++i)
            if (x[i] > most || std::isnan(x[i])) most = x[i];  // no number is above NaN
        return most;
    });
}

void global_lp_pool(KernelContext& context) {
    const std::int64_t p = context.node().int_attribute("p", 2);
    if (p < 1) fail_model("attribute p: expected at least 1, found " + std::to_string(p));
    pool_channels(context, [p]<typename T>(const T* x, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += std::pow(std::abs(static_cast<double>(x[i])), static_cast<double>(p));
        return static_cast<T>(std::pow(sum, 1.0 / static_cast<double>(p)));
    });
}

}  // namespace lapidary::reference
