// SPDX-License-Identifier: Apache-2.0
// InstanceNormalization (6, 22) and GroupNormalization (18, 21): groups of channels of one image
// get mean 0 and variance 1, then scale and bias.
#include <cmath>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/row_statistics.h"

namespace lapidary::reference {
namespace {

/// Scale and bias hold one entry per channel, or per group when `per_group`.
void normalize_groups(KernelContext& context, std::int64_t groups, bool per_group) {
    const Tensor& x = context.input(0);
    const Tensor& scale = context.input(1);
    const Tensor& bias = context.input(2);
    const std::string& op = context.node().op_type;
    if (x.rank() < 2) fail_input(op + ": expected X [N, C, ...], found " + to_string(x.shape()));
    const std::int64_t channels = x.dim(1);
    if (groups == 0 && channels == 0) groups = 1;
    if (groups < 1 || channels % groups != 0)
        fail_input(op + ": " + std::to_string(channels) + " channels do not divide into " +
                   std::to_string(groups) + " groups");
    const std::int64_t parameters = per_group ? groups : channels;
    if (scale.size() != parameters || bias.size() != parameters)
        fail_input(op + ": expected scale and bias of " + std::to_string(parameters) +
                   " elements, found " + to_string(scale.shape()) + " and " +
                   to_string(bias.shape()));
    const double epsilon = context.node().float_attribute("epsilon", 1e-5f);
    if (x.size() == 0) {
        context.output(0, x.dtype(), x.shape());
        return;
    }
    const std::int64_t group_channels = channels / groups, size = x.size() / (x.dim(0) * channels);

    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x), factors(context, scale), shifts(context, bias);
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        context.threads().parallel_for(
            x.dim(0) * groups, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t row = begin; row < end; ++row) {
                    context.cancel().throw_if_cancelled();
                    const std::int64_t group = row % groups;
                    const T* from = input.data() + row * group_channels * size;
                    T* to = output.data() + row * group_channels * size;
                    const RowStatistics s = row_statistics(from, group_channels * size);
                    const T mean = static_cast<T>(s.mean),
                            inverse = static_cast<T>(1 / std::sqrt(s.variance + epsilon));
                    for (std::int64_t c = 0; c < group_channels; ++c) {
                        const std::int64_t at = per_group ? group : group * group_channels + c;
                        for (std::int64_t i = c * size; i < (c + 1) * size; ++i)
                            to[i] = (from[i] - mean) * inverse * factors[at] + shifts[at];
                    }
                }
            });
        output.store();
    });
}

}  // namespace

void instance_normalization(KernelContext& context) {
    const Tensor& x = context.input(0);
    normalize_groups(context, x.rank() < 2 ? 1 : x.dim(1), false);
}

void group_normalization(KernelContext& context) {
    if (!context.node().has_attribute("num_groups")) fail_model("attribute num_groups is missing");
    normalize_groups(context, context.node().int_attribute("num_groups", 1),
                     context.version() < 21);
}

}  // namespace lapidary::reference
