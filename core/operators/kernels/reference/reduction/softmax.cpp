// SPDX-License-Identifier: Apache-2.0
// Softmax, LogSoftmax, Hardmax: before opset 13 over all dimensions from `axis` (default 1)
// flattened, since then along `axis` (default -1). LpNormalization along one axis.
#include "kernels/reference/reduction/softmax_line.h"

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/movement/axis_view.h"

namespace lapidary::reference {
namespace {

AxisView softmax_view(const KernelContext& context, const Shape& shape) {
    const std::int64_t rank = static_cast<std::int64_t>(shape.size());
    if (context.version() >= 13 && context.node().domain.empty()) {
        if (rank == 0) return AxisView({1}, 0);
        return AxisView(shape, context.node().int_attribute("axis", -1));
    }
    std::int64_t axis = context.node().int_attribute("axis", 1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis > rank)
        context.fail("attribute axis: " + std::to_string(axis) + " is outside of rank " +
                     std::to_string(rank));
    Shape flat{1, 1};
    for (std::int64_t i = 0; i < rank; ++i)
        flat[i < axis ? 0 : 1] *= shape[static_cast<std::size_t>(i)];
    return AxisView(flat, 1);
}

/// Copies input 0 in float or double, lets line(values, n, step) change each line, and writes
/// output 0.
template <typename F>
void change_lines(KernelContext& context, const AxisView& view, const F& line) {
    const Tensor& x = context.input(0);
    Tensor& y = context.output(0, x.dtype(), x.shape());
    const DType compute = x.dtype() == DType::f64 ? DType::f64 : DType::f32;
    if (!is_float(x.dtype()))
        fail_unsupported("element type " + std::string(name_of(x.dtype())) +
                         " is not supported by this operator: expected a floating-point type");
    dispatch<TypeList<float, double>>(compute, [&]<typename T>() {
        Tensor work = y.dtype() == compute ? y : context.scratch(compute, x.shape());
        convert_into(context, x, work);
        if (view.length == 0) return;
        T* values = work.mutable_data<T>().data();
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                context.cancel().throw_if_cancelled();
                line(values + view.start(i), view.length, view.inner);
            }
        };
        const std::int64_t grain = std::max<std::int64_t>(1, 8192 / view.length);
        if (view.lines() <= grain) body(0, view.lines());
        else context.threads().parallel_for(view.lines(), grain, body);
        if (y.dtype() != compute) convert_into(context, work, y);
    });
}

}  // namespace

void softmax(KernelContext& context) {
    change_lines(
        context, softmax_view(context, context.input(0).shape()),
        [](auto* values, std::int64_t n, std::int64_t step) { softmax_line(values, n, step); });
}

void log_softmax(KernelContext& context) {
    change_lines(context, softmax_view(context, context.input(0).shape()),
                 [](auto* values, std::int64_t n, std::int64_t step) {
                     softmax_line(values, n, step, true);
                 });
}

void hardmax(KernelContext& context) {
    change_lines(context, softmax_view(context, context.input(0).shape()),
                 [](auto* values, std::int64_t n, std::int64_t step) {
                     std::int64_t best = 0;
                     for (std::int64_t i = 1; i < n; ++i)
                         if (values[i * step] > values[best * step]) best = i;
                     for (std::int64_t i = 0; i < n; ++i) values[i * step] = i == best ? 1 : 0;
                 });
}

void lp_normalization(KernelContext& context) {
    const std::int64_t p = context.node().int_attribute("p", 2);
    if (p != 1 && p != 2) context.fail("attribute p: expected 1 or 2, found " + std::to_string(p));
    const AxisView view(context.input(0).shape(), context.node().int_attribute("axis", -1));
    change_lines(context, view, [p](auto* values, std::int64_t n, std::int64_t step) {
        double sum = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const double v = values[i * step];
            sum += p == 1 ? std::fabs(v) : v * v;
        }
        const double norm = p == 1 ? sum : std::sqrt(sum);
        for (std::int64_t i = 0; i < n; ++i)
            values[i * step] = static_cast<std::remove_reference_t<decltype(*values)>>(
                norm == 0 ? 0 : values[i * step] / norm);
    });
}

}  // namespace lapidary::reference
