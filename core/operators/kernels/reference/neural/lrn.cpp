// SPDX-License-Identifier: Apache-2.0
// LRN (1, 13): Y = X / (bias + alpha / size * sum of squares over neighbouring channels) ^ beta.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {

void lrn(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Node& node = context.node();
    if (x.rank() < 2) fail_input("LRN: expected X [N, C, ...], found " + to_string(x.shape()));
    const std::int64_t size = node.int_attribute("size", 0);
    if (size < 1) fail_model("attribute size: expected at least 1, found " + std::to_string(size));
    const double alpha = node.float_attribute("alpha", 0.0001f),
                 beta = node.float_attribute("beta", 0.75f);
    const double bias = node.float_attribute("bias", 1.0f);
    const std::int64_t channels = x.dim(1), before = (size - 1) / 2, after = size - 1 - before;
    const std::int64_t plane = x.size() == 0 ? 0 : x.size() / (x.dim(0) * channels);
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x);
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        context.threads().parallel_for(
            plane == 0 ? 0 : x.dim(0) * channels, 1, [&](std::int64_t begin, std::int64_t end) {
                std::vector<double> squares(static_cast<std::size_t>(plane));
                for (std::int64_t row = begin; row < end; ++row) {
                    context.cancel().throw_if_cancelled();
                    const std::int64_t channel = row % channels, image = row - channel;
                    std::fill(squares.begin(), squares.end(), 0.0);
                    const std::int64_t first = channel - std::min(channel, before);
                    const std::int64_t last = channel + std::min(channels - 1 - channel, after);
                    for (std::int64_t c = first; c <= last; ++c)
                        for (std::int64_t i = 0; i < plane; ++i) {
                            const double v = input[(image + c) * plane + i];
                            squares[static_cast<std::size_t>(i)] += v * v;
                        }
                    for (std::int64_t i = 0; i < plane; ++i)
                        output[row * plane + i] =
                            static_cast<T>(input[row * plane + i] /
                                           std::pow(bias + alpha / static_cast<double>(size) *
                                                               squares[static_cast<std::size_t>(i)],
                                                    beta));
                }
            });
        output.store();
    });
}

}  // namespace lapidary::reference
