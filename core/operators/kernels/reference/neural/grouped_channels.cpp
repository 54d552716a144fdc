// SPDX-License-Identifier: Apache-2.0
// com.microsoft: GroupNorm and SkipGroupNorm, normalization of channel groups with an optional SiLU
// after it.
#include <algorithm>
#include <cmath>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {

void add(KernelContext&);

namespace {

struct GroupLayout {
    std::int64_t batch = 0, channels = 0, pixels = 0, groups = 0;
    bool channels_last = true;

    GroupLayout(const KernelContext& context, const Tensor& x) {
        const Node& node = context.node();
        channels_last = node.int_attribute("channels_last", 1) != 0;
        if (x.rank() < 3)
            context.fail("input 0: expected [N, ..., C] or [N, C, ...], found " +
                         to_string(x.shape()));
        batch = x.dim(0);
        channels = channels_last ? x.shape().back() : x.dim(1);
        groups = node.int_attribute("groups", 0);
        if (groups < 1 || channels % groups != 0)
            context.fail(std::to_string(channels) + " channels do not divide into " +
                         std::to_string(groups) + " groups");
        pixels = batch * channels == 0 ? 0 : x.size() / (batch * channels);
    }
    std::int64_t at(std::int64_t n, std::int64_t c, std::int64_t pixel) const {
        return channels_last ? (n * pixels + pixel) * channels + c
                             : (n * channels + c) * pixels + pixel;
    }
};

void normalize_groups_of(KernelContext& context, const Tensor& x, DType dtype) {
    const GroupLayout l(context, x);
    const Tensor &gamma = context.input(1), &beta = context.input(2);
    if (gamma.shape() != Shape{l.channels} || beta.shape() != Shape{l.channels})
        context.fail("gamma and beta: expected [" + std::to_string(l.channels) + "], found " +
                     to_string(gamma.shape()) + " and " + to_string(beta.shape()));
    const std::int64_t activation = context.node().int_attribute("activation", 0);
    if (activation != 0 && activation != 1)
        context.fail("attribute activation: expected 0 (none) or 1 (SiLU), found " +
                     std::to_string(activation));
    const auto epsilon = static_cast<double>(context.node().float_attribute("epsilon", 1e-5f));
    const Widened<float> in(context, x), scale(context, gamma), shift(context, beta);
    Narrowed<float> out(context, context.output(0, dtype, x.shape()));
    const std::int64_t width = l.channels / l.groups;
    const double count = static_cast<double>(width) * static_cast<double>(l.pixels);
    context.threads().parallel_for(
        l.batch * l.groups, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                context.cancel().throw_if_cancelled();
                const std::int64_t n = row / l.groups, first = row % l.groups * width;
                const auto each = [&](auto&& body) {
                    for (std::int64_t c = first; c < first + width; ++c)
                        for (std::int64_t p = 0; p < l.pixels; ++p) body(c, l.at(n, c, p));
                };
                double mean = 0, variance = 0;
                each([&](std::int64_t, std::int64_t i) { mean += static_cast<double>(in[i]); });
                mean /= count;
                each([&](std::int64_t, std::int64_t i) {
                    variance +=
                        (static_cast<double>(in[i]) - mean) * (static_cast<double>(in[i]) - mean);
                });
                const double inverse = 1 / std::sqrt(variance / count + epsilon);
                each([&](std::int64_t c, std::int64_t i) {
                    const auto y =
                        static_cast<float>((static_cast<double>(in[i]) - mean) * inverse) *
                            scale[c] +
                        shift[c];
                    out[i] = activation == 1 ? y / (1 + std::exp(-y)) : y;
                });
            }
        });
    out.store();
}

}  // namespace

void group_norm(KernelContext& context) {
    normalize_groups_of(context, context.input(0), context.input(0).dtype());
}

/// The sum of X, skip and bias is normalized, and output 1. skip may have one value per image and
/// channel.
void skip_group_norm(KernelContext& context) {
    const Tensor& x = context.input(0);
    const GroupLayout l(context, x);
    Tensor skip = context.input(skip_group_norm_input::skip);
    Shape per_channel(x.shape().size(), 1);
    per_channel[l.channels_last ? per_channel.size() - 1 : 1] = l.channels;
    Shape per_image = per_channel;
    per_image[0] = l.batch;
    if (skip.shape() == Shape{l.batch, l.channels}) skip = skip.reshaped(per_image);
    if (skip.shape() != x.shape() && skip.shape() != per_image)
        context.fail("input 3: expected " + to_string(x.shape()) + ", " + to_string(per_image) +
                     " or " + to_string(Shape{l.batch, l.channels}) + ", found " +
                     to_string(skip.shape()));
    Tensor sum = run_nested_one(context, add, {"Add"}, {x, skip});
    if (const Tensor* bias = context.optional_input(skip_group_norm_input::bias)) {
        if (bias->shape() != Shape{l.channels})
            context.fail("input 4: expected [" + std::to_string(l.channels) + "], found " +
                         to_string(bias->shape()));
        sum = run_nested_one(context, add, {"Add"}, {sum, bias->reshaped(per_channel)});
    }
    normalize_groups_of(context, sum, x.dtype());
    if (context.output_count() > 1) set_result(context, 1, sum);
}

}  // namespace lapidary::reference
