// SPDX-License-Identifier: Apache-2.0
// RandomNormal, RandomUniform and their Like forms (1, 22), Bernoulli (15, 22). Numbers come from
// random_generator.h: the same seed gives the same tensor everywhere.
#include "kernels/reference/elementwise/number_output.h"
#include "kernels/reference/random/random_generator.h"

namespace lapidary::reference {
namespace {

template <typename Draw>
void fill_random(KernelContext& context, DType dtype, const Shape& shape, const Draw& draw) {
    NumberOutput output(context, dtype, shape);
    const RandomStream stream = stream_of(context);
    context.threads().parallel_for(output.size(), 4096, [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        for (std::int64_t i = begin; i < end; ++i)
            output.set(i, draw(stream, static_cast<std::uint64_t>(i)));
    });
    output.store();
}

void fill_normal(KernelContext& context, DType dtype, const Shape& shape) {
    const double mean = context.node().float_attribute("mean", 0),
                 scale = context.node().float_attribute("scale", 1);
    fill_random(context, dtype, shape,
                [=](const RandomStream& s, std::uint64_t i) { return mean + scale * s.normal(i); });
}

void fill_uniform(KernelContext& context, DType dtype, const Shape& shape) {
    const double low = context.node().float_attribute("low", 0),
                 high = context.node().float_attribute("high", 1);
    fill_random(context, dtype, shape, [=](const RandomStream& s, std::uint64_t i) {
        return low + (high - low) * s.uniform(i);
    });
}

Shape shape_attribute(const Node& node) {
    if (!node.has_attribute("shape")) fail_model("attribute shape is missing");
    return node.ints_attribute("shape");
}

}  // namespace

void random_normal(KernelContext& context) {
    fill_normal(context, output_type(context.node(), "dtype", DType::f32),
                shape_attribute(context.node()));
}
void random_uniform(KernelContext& context) {
    fill_uniform(context, output_type(context.node(), "dtype", DType::f32),
                 shape_attribute(context.node()));
}
void random_normal_like(KernelContext& context) {
    const Tensor& like = context.input(0);
    fill_normal(context, output_type(context.node(), "dtype", like.dtype()), like.shape());
}
void random_uniform_like(KernelContext& context) {
    const Tensor& like = context.input(0);
    fill_uniform(context, output_type(context.node(), "dtype", like.dtype()), like.shape());
}

void bernoulli(KernelContext& context) {
    const Tensor& probabilities = context.input(0);
    const std::vector<double> p = to_doubles(probabilities);
    fill_random(
        context, output_type(context.node(), "dtype", probabilities.dtype()), probabilities.shape(),
        [&](const RandomStream& s, std::uint64_t i) { return s.uniform(i) < p[i] ? 1.0 : 0.0; });
}

}  // namespace lapidary::reference
