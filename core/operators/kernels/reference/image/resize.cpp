// SPDX-License-Identifier: Apache-2.0
// Resize (10, 11, 13, 18, 19) and Upsample (7, 9): every mode is separable, so axes are resampled
// one after another.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/image/resize_geometry.h"
#include "kernels/reference/image/resize_sampling.h"
#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {
namespace {

std::vector<AxisSampling> sample_axes(const ResizeGeometry& g) {
    std::vector<AxisSampling> samplings;
    for (const auto& a : g.axes) samplings.push_back(sample_axis(g, a));
    return samplings;
}

/// Calls body(i) for every output element that lies outside the crop region.
template <typename Body>
void for_each_extrapolated(const ResizeGeometry& g, const std::vector<AxisSampling>& samplings,
                           const Body& body) {
    if (g.coordinates != ResizeCoordinates::tf_crop_and_resize) return;
    const std::int64_t count = element_count(g.output_shape());
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t left = i;
        bool outside = false;
        for (std::size_t axis = g.axes.size(); axis-- > 0;) {
            outside = outside ||
                      samplings[axis]
                          .is_extrapolated[static_cast<std::size_t>(left % g.axes[axis].output)];
            left /= g.axes[axis].output;
        }
        if (outside) body(i);
    }
}

/// Picks elements of any type; `outside` stands for extrapolated ones.
template <typename T>
void pick_nearest(KernelContext& context, const ResizeGeometry& g,
                  const std::vector<AxisSampling>& samplings, const T* from, T* to,
                  const T& outside) {
    const std::size_t rank = g.axes.size();
    if (rank == 0) {
        *to = *from;
        return;
    }
    const ResizeAxis& last = g.axes.back();
    const std::int64_t rows = last.output == 0 ? 0 : element_count(g.output_shape()) / last.output;
    TextRoom room(context);
    context.threads().parallel_for(rows, 64, [&](std::int64_t begin, std::int64_t end) {
        context.cancel().throw_if_cancelled();
        for (std::int64_t row = begin; row < end; ++row) {
            std::int64_t left = row, offset = 0, stride = last.input;
            for (std::size_t axis = rank - 1; axis-- > 0;) {
                offset +=
                    samplings[axis].index[static_cast<std::size_t>(left % g.axes[axis].output)] *
                    stride;
                stride *= g.axes[axis].input;
                left /= g.axes[axis].output;
            }
            for (std::int64_t o = 0; o < last.output; ++o) {
                const T& picked =
                    from[offset + samplings.back().index[static_cast<std::size_t>(o)]];
                room.take(picked);
                to[row * last.output + o] = picked;
            }
        }
    });
    for_each_extrapolated(g, samplings, [&](std::int64_t i) { to[i] = outside; });
}

/// Resamples one axis: [outer, axis.input, inner] to [outer, axis.output, inner].
template <typename T>
void resample(KernelContext& context, const ResizeAxis& a, const AxisSampling& s,
              std::int64_t outer, std::int64_t inner, const T* from, T* to) {
    context.threads().parallel_for(
        outer * a.output, std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, inner)),
        [&](std::int64_t begin, std::int64_t end) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t row = begin; row < end; ++row) {
                const std::int64_t o = row % a.output, base = row / a.output * a.input;
                T* y = to + row * inner;
                std::fill_n(y, inner, T(0));
                for (std::int64_t t = 0; t < s.taps; ++t) {
                    const auto at = static_cast<std::size_t>(o * s.taps + t);
                    const T weight = s.weight[at];
                    const T* x = from + (base + s.index[at]) * inner;
                    for (std::int64_t i = 0; i < inner; ++i) y[i] += weight * x[i];
                }
            }
        });
}

/// Linear or cubic over all axes, first to last; returns the resized elements.
template <typename T>
Tensor interpolate(KernelContext& context, const ResizeGeometry& g,
                   const std::vector<AxisSampling>& samplings, const T* from) {
    Shape shape;
    for (const auto& a : g.axes) shape.push_back(a.input);
    Tensor current;
    for (std::size_t axis = 0; axis < g.axes.size(); ++axis) {
        if (samplings[axis].is_identity) continue;
        std::int64_t outer = 1, inner = 1;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (i != axis) (i < axis ? outer : inner) *= shape[i];
        shape[axis] = g.axes[axis].output;
        Tensor next = context.scratch(dtype_of<T>, shape);
        resample(context, g.axes[axis], samplings[axis], outer, inner, from,
                 next.mutable_data<T>().data());
        current = std::move(next);
        from = current.data<T>().data();
    }
    if (!current) {
        current = context.scratch(dtype_of<T>, shape);
        std::copy_n(from, current.size(), current.mutable_data<T>().data());
    }
    for_each_extrapolated(g, samplings, [&](std::int64_t i) {
        current.mutable_data<T>()[static_cast<std::size_t>(i)] = static_cast<T>(g.extrapolation);
    });
    return current;
}

/// A computed value as an integer of type I: nearest or towards zero, kept in range.
template <typename I>
I to_integer(double value, bool rounds) {
    value = rounds ? std::round(value) : std::trunc(value);
    if (!(value > static_cast<double>(std::numeric_limits<I>::min())))
        return std::numeric_limits<I>::min();
    if (value >= static_cast<double>(std::numeric_limits<I>::max()))
        return std::numeric_limits<I>::max();
    return static_cast<I>(value);
}

void interpolate_integers(KernelContext& context, const ResizeGeometry& g,
                          const std::vector<AxisSampling>& samplings, const Tensor& x, Tensor& y) {
    const std::vector<double> input = to_doubles(x);
    const Tensor result = interpolate<double>(context, g, samplings, input.data());
    const auto values = result.data<double>();
    // Plain linear interpolation truncates, as ONNX Runtime does; the specification leaves it open.
    const bool rounds = g.antialias || g.mode == ResizeMode::cubic;
    dispatch<IntegerTypes>(x.dtype(), [&]<typename I>() {
        auto to = y.template mutable_data<I>();
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = to_integer<I>(values[i], rounds);
    });
}

/// One element of type `dtype` that holds extrapolation_value: zero, empty or false where no number
/// fits.
Tensor extrapolation_element(KernelContext& context, const ResizeGeometry& g, DType dtype) {
    Tensor element = context.scratch(dtype, {1});
    if (dtype == DType::string) return element;
    std::memset(element.mutable_raw(), 0, element.byte_size());
    [&]<typename... T>(TypeList<T...>) {
        const auto set = [&]<typename U>(U value) { element.mutable_data<U>()[0] = value; };
        const auto number = [&]<typename U>() {
            if constexpr (std::is_integral_v<U>) return to_integer<U>(g.extrapolation, true);
            else return U(g.extrapolation);
        };
        ((dtype == dtype_of<T> ? set(number.template operator()<T>()) : void()), ...);
    }(NumericTypes{});
    return element;
}

void run_resize(KernelContext& context, const ResizeGeometry& g) {
    const Tensor& x = context.input(0);
    // Before the sampling tables, which grow with the output: a size that is too large is refused
    // here.
    Tensor& y = context.output(0, x.dtype(), g.output_shape());
    if (y.size() == 0) return;
    const auto samplings = sample_axes(g);
    if (g.mode == ResizeMode::nearest) {
        const Tensor outside = extrapolation_element(context, g, x.dtype());
        dispatch_by_width(x.dtype(), [&]<typename T>() {
            pick_nearest<T>(context, g, samplings, static_cast<const T*>(x.raw()),
                            static_cast<T*>(y.mutable_raw()),
                            *static_cast<const T*>(outside.raw()));
        });
    } else if (is_integer(x.dtype())) {
        interpolate_integers(context, g, samplings, x, y);
    } else {
        dispatch_compute(x.dtype(), [&]<typename T>() {
            const Widened<T> input(context, x);
            const Tensor result = interpolate<T>(context, g, samplings, input.data());
            Narrowed<T> output(context, y);
            std::copy_n(result.data<T>().data(), result.size(), output.data());
            output.store();
        });
    }
}

}  // namespace

void resize(KernelContext& context) {
    run_resize(context,
               read_resize(context.node(), context.input(0).shape(),
                           [&](std::size_t input) { return context.optional_input(input); }));
}
void upsample(KernelContext& context) {
    run_resize(context, read_upsample(context.node(), context.input(0).shape(),
                                      [&](std::size_t input) { return &context.input(input); }));
}

}  // namespace lapidary::reference
