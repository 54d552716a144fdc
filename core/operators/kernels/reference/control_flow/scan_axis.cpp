// SPDX-License-Identifier: Apache-2.0
// ArgMax, ArgMin, CumSum, CumProd: walks along one axis.
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/movement/axis_view.h"

namespace lapidary::reference {
namespace {

void arg_extreme(KernelContext& context, bool largest) {
    const Tensor& x = context.input(0);
    const Node& node = context.node();
    const bool last = node.int_attribute("select_last_index", 0) != 0;
    const int axis = normalize_axis(node.int_attribute("axis", 0), std::max(x.rank(), 1));
    Shape padded = x.shape();
    if (padded.empty()) padded = {1};
    const AxisView view(padded, axis);
    if (view.length == 0 && view.lines() > 0)
        context.fail("axis " + std::to_string(axis) + " of " + to_string(x.shape()) +
                     " is empty: it has no extreme element");
    Shape shape = x.shape();
    if (!shape.empty()) {
        if (node.int_attribute("keepdims", 1) != 0) shape[static_cast<std::size_t>(axis)] = 1;
        else shape.erase(shape.begin() + axis);
    }
    Tensor& y = context.output(0, DType::i64, shape);
    std::int64_t* out = y.mutable_data<std::int64_t>().data();
    dispatch<NumericTypes>(x.dtype(), [&]<typename T>() {
        const T* in = x.data<T>().data();
        for_ranges(
            context, view.lines(),
            [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t line = begin; line < end; ++line) {
                    const T* values = in + view.start(line);
                    compute_t<T> best = values[0];
                    std::int64_t at = 0;
                    // stops at the first NaN, which is the result
                    for (std::int64_t i = 1; i < view.length && best == best; ++i) {
                        const compute_t<T> value = values[i * view.inner];
                        const bool better = largest ? value > best : value < best;
                        if (better || value != value || (last && value == best)) {
                            best = value;
                            at = i;
                        }
                    }
                    out[line] = at;
                }
            },
            std::max<std::int64_t>(1, map_grain / std::max<std::int64_t>(1, view.length)));
    });
}

template <typename F>
void accumulate(KernelContext& context, int neutral, const F& f) {
    const Tensor& x = context.input(0);
    const Tensor& axis = context.input(1);
    if (axis.size() != 1)
        context.fail("input 1: expected one axis, found shape " + to_string(axis.shape()));
    const AxisView view(x.shape(), to_int64s(axis)[0]);
    const bool exclusive = context.node().int_attribute("exclusive", 0) != 0,
               reverse = context.node().int_attribute("reverse", 0) != 0;
    Tensor& y = context.output(0, x.dtype(), x.shape());
    dispatch<TypeList<float, double, Half, BFloat16, std::int32_t, std::int64_t, std::uint32_t,
                      std::uint64_t>>(x.dtype(), [&]<typename T>() {
        const T* in = x.data<T>().data();
        T* out = y.mutable_data<T>().data();
        using Total = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
        for_ranges(
            context, view.length == 0 ? 0 : view.lines(),
            [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t line = begin; line < end; ++line) {
                    const std::int64_t start = view.start(line);
                    Total total = static_cast<Total>(neutral);
                    for (std::int64_t i = 0; i < view.length; ++i) {
                        const std::int64_t at =
                            start + (reverse ? view.length - 1 - i : i) * view.inner;
                        const Total value = static_cast<Total>(static_cast<compute_t<T>>(in[at]));
                        const Total next = f(total, value);
                        out[at] =
                            static_cast<T>(static_cast<compute_t<T>>(exclusive ? total : next));
                        total = next;
                    }
                }
            },
            std::max<std::int64_t>(1, map_grain / std::max<std::int64_t>(1, view.length)));
    });
}

}  // namespace

void arg_max(KernelContext& context) { arg_extreme(context, true); }
void arg_min(KernelContext& context) { arg_extreme(context, false); }

void cum_sum(KernelContext& context) {
    accumulate(context, 0, [](auto total, auto value) { return total + value; });
}

void cum_prod(KernelContext& context) {
    accumulate(context, 1, [](auto total, auto value) { return total * value; });
}

}  // namespace lapidary::reference
