// SPDX-License-Identifier: Apache-2.0
// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss.
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/movement/axis_view.h"
#include "kernels/reference/reduction/softmax_line.h"

namespace lapidary::reference {
namespace {

/// Writes output 0 from log-probabilities [N, C, d...] (float or double) and class labels [N,
/// d...].
template <typename T>
void write_loss(KernelContext& context, const Tensor& log_probabilities, DType dtype) {
    const Tensor& labels = context.input(1);
    const Tensor* weight = context.optional_input(2);
    const Shape& shape = log_probabilities.shape();
    if (shape.size() < 2)
        context.fail("input 0: expected rank 2 or more, found " + to_string(shape));
    Shape expected = shape;
    expected.erase(expected.begin() + 1);
    if (labels.shape() != expected)
        context.fail("input 1: expected labels " + to_string(expected) + ", found " +
                     to_string(labels.shape()));
    const std::int64_t classes = shape[1];
    if (weight && weight->shape() != Shape{classes})
        context.fail("input 2: expected weights [" + std::to_string(classes) + "], found " +
                     to_string(weight->shape()));
    const std::string reduction = context.node().string_attribute("reduction", "mean");
    const bool ignores = context.node().has_attribute("ignore_index");
    const std::int64_t ignored = context.node().int_attribute("ignore_index", 0);

    const AxisView view(shape, 1);
    const std::vector<std::int64_t> targets = to_int64s(labels);
    const std::vector<double> weights = weight ? to_doubles(*weight) : std::vector<double>();
    const T* in = log_probabilities.data<T>().data();
    Tensor losses = context.scratch(dtype_of<T>, expected);
    T* out = losses.mutable_data<T>().data();
    double total = 0, total_weight = 0;
    for (std::int64_t line = 0; line < view.lines(); ++line) {
        const std::int64_t target = targets[static_cast<std::size_t>(line)];
        out[line] = 0;
        if (ignores && target == ignored) continue;
        if (target < 0 || target >= classes)
            context.fail("input 1: label " + std::to_string(target) + " is outside of the " +
                         std::to_string(classes) + " classes");
        const double w = weight ? weights[static_cast<std::size_t>(target)] : 1.0;
        const double loss = -static_cast<double>(in[view.start(line) + target * view.inner]) * w;
        out[line] = static_cast<T>(loss);
        total += loss;
        total_weight += w;
    }
    if (reduction == "none") {
        convert_into(context, losses, context.output(0, dtype, expected));
        return;
    }
    if (reduction != "sum" && reduction != "mean")
        context.fail("attribute reduction: expected none, sum or mean, found " + quote(reduction));
    const Tensor result =
        Tensor::scalar(static_cast<T>(reduction == "sum" ? total : total / total_weight));
    convert_into(context, result, context.output(0, dtype, {}));
}

}  // namespace

void negative_log_likelihood_loss(KernelContext& context) {
    const Tensor& x = context.input(0);
    const DType compute = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
    const Tensor in = converted(context, x, compute);
    if (compute == DType::f64) write_loss<double>(context, in, x.dtype());
    else write_loss<float>(context, in, x.dtype());
}

void softmax_cross_entropy_loss(KernelContext& context) {
    const Tensor& x = context.input(0);
    const DType compute = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
    if (x.rank() < 2)
        context.fail("input 0: expected rank 2 or more, found " + to_string(x.shape()));
    dispatch<TypeList<float, double>>(compute, [&]<typename T>() {
        Tensor logs = context.scratch(compute, x.shape());
        convert_into(context, x, logs);
        const AxisView view(x.shape(), 1);
        T* values = logs.mutable_data<T>().data();
        for (std::int64_t line = 0; view.length > 0 && line < view.lines(); ++line)
            softmax_line(values + view.start(line), view.length, view.inner, true);
        write_loss<T>(context, logs, x.dtype());
        if (context.wants_output(1))
            convert_into(context, logs, context.output(1, x.dtype(), x.shape()));
    });
}

}  // namespace lapidary::reference
