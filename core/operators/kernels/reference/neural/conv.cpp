// SPDX-License-Identifier: Apache-2.0
// Conv (1, 11, 22): Y[n, m, ...] = B[m] + sum over channels and taps of W * X, any spatial rank,
// grouped.
#include <algorithm>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "kernels/reference/neural/window_panels.h"

namespace lapidary::reference {
namespace {

struct ConvGeometry {
    std::int64_t images, groups, channels, filters;  // channels and filters of one group
    std::vector<WindowAxis> axes;
    // positions of one channel, taps of one window
    std::int64_t input_size = 1, output_size = 1, taps = 1;
};

ConvGeometry geometry_of(const Node& node, const Tensor& x, const Tensor& w, const Tensor* b) {
    if (x.rank() < 3 || w.rank() != x.rank())
        fail_input("Conv: expected X and W of one rank, at least 3, found " + to_string(x.shape()) +
                   " and " + to_string(w.shape()));
    const auto spatial = static_cast<std::size_t>(x.rank() - 2);
    if (spatial > most_spatial_axes)
        fail_unsupported("Conv: " + std::to_string(spatial) + " spatial axes are more than " +
                         std::to_string(most_spatial_axes));
    const WindowAttributes attributes = read_window_attributes(node, spatial);
    const std::span<const std::int64_t> kernel(w.shape().data() + 2, spatial),
        input(x.shape().data() + 2, spatial);
    if (!attributes.kernel.empty() &&
        !std::equal(kernel.begin(), kernel.end(), attributes.kernel.begin()))
        fail_input("Conv: kernel_shape " + to_string(attributes.kernel) +
                   " differs from the weight " + to_string(w.shape()));
    ConvGeometry g{};
    g.groups = node.int_attribute("group", 1);
    if (g.groups < 1)
        fail_model("attribute group: expected at least 1, found " + std::to_string(g.groups));
    g.images = x.dim(0);
    g.channels = w.dim(1);
    g.filters = w.dim(0) / g.groups;
    if (w.dim(0) % g.groups != 0 || x.dim(1) % g.groups != 0 || x.dim(1) / g.groups != g.channels)
        fail_input("Conv: X " + to_string(x.shape()) + " and W " + to_string(w.shape()) +
                   " do not fit " + std::to_string(g.groups) + " group(s)");
    if (b && (b->rank() != 1 || b->dim(0) != w.dim(0)))
        fail_input("Conv: expected a bias [" + std::to_string(w.dim(0)) + "], found " +
                   to_string(b->shape()));
    g.axes = window_axes(attributes, input, kernel);
    for (const auto& a : g.axes) {
        g.input_size *= a.input;
        g.output_size *= a.output;
        g.taps *= a.kernel;
    }
    return g;
}

/// One channel with one filter: adds tap after tap to whole output rows.
template <typename T>
void convolve_channel(const ConvGeometry& g, const T* image, const T* taps, T* y) {
    const WindowAxis& last = g.axes.back();
    const std::size_t outer_rank = g.axes.size() - 1;
    const std::int64_t rows = g.output_size / last.output;
    for (std::int64_t row = 0; row < rows; ++row) {
        T* to = y + row * last.output;
        for (std::int64_t tap = 0; tap < g.taps; ++tap) {
            std::int64_t row_left = row, tap_left = tap / last.kernel, from_row = 0, scale = 1;
            bool inside = true;
            for (std::size_t axis = outer_rank; axis-- > 0;) {
                const WindowAxis& a = g.axes[axis];
                const std::int64_t at =
                    row_left % a.output * a.stride - a.pad_begin + tap_left % a.kernel * a.dilation;
                inside = inside && at >= 0 && at < a.input;
                from_row += at * scale;
                scale *= a.input;
                row_left /= a.output;
                tap_left /= a.kernel;
            }
            if (!inside) continue;
            const std::int64_t start = tap % last.kernel * last.dilation - last.pad_begin;
            // Output positions whose input position start + o * stride exists.
            const std::int64_t first = start >= 0 ? 0 : (-start + last.stride - 1) / last.stride;
            const std::int64_t end =
                start >= last.input
                    ? 0
                    : std::min(last.output, (last.input - 1 - start) / last.stride + 1);
            const T weight = taps[tap];
            const T* from = image + from_row * last.input + start;
            if (last.stride == 1)
                for (std::int64_t o = first; o < end; ++o) to[o] += weight * from[o];
            else
                for (std::int64_t o = first; o < end; ++o) to[o] += weight * from[o * last.stride];
        }
    }
}

template <typename T>
void convolve(KernelContext& context, const ConvGeometry& g, const Tensor& x, const Tensor& w,
              const Tensor* b, Tensor& y) {
    const Widened<T> input(context, x), weight(context, w), bias(context, b);
    Narrowed<T> output(context, y);
    if (output.size() == 0) return;
    const std::int64_t inner = g.channels * g.taps;
    // index = image * groups + group
    const auto one_group = [&](ThreadPool* pool, std::int64_t index) {
        const std::int64_t group = index % g.groups;
        const T* image = input.data() + index * g.channels * g.input_size;
        const T* filters = weight.data() + group * g.filters * inner;
        T* to = output.data() + index * g.filters * g.output_size;
        for (std::int64_t m = 0; m < g.filters; ++m)
            std::fill_n(to + m * g.output_size, g.output_size,
                        bias ? bias[group * g.filters + m] : T(0));
        if (g.channels == 1 && g.filters <= 2) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t m = 0; m < g.filters; ++m)
                convolve_channel(g, image, filters + m * inner, to + m * g.output_size);
            return;
        }
        const WindowPanels<T> panels(image, g.axes);
        multiply_add<T>(pool, context.cancel(), g.filters, g.output_size, inner, filters, inner,
                        PanelSource<T>(panels), to, g.output_size);
    };
    const std::int64_t products = g.images * g.groups;
    if (products > 1 && products >= context.threads().threads()) {
        context.threads().parallel_for(products, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) one_group(nullptr, i);
        });
    } else {
        for (std::int64_t i = 0; i < products; ++i) one_group(&context.threads(), i);
    }
    output.store();
}

}  // namespace

void conv(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    const Tensor* b = context.optional_input(2);
    require_same_type(x, w, "Conv inputs");
    if (b) require_same_type(x, *b, "Conv inputs");
    const ConvGeometry g = geometry_of(context.node(), x, w, b);
    Shape shape{x.dim(0), w.dim(0)};
    for (const auto& a : g.axes) shape.push_back(a.output);
    Tensor& y = context.output(0, x.dtype(), std::move(shape));
    dispatch_compute(x.dtype(), [&]<typename T>() { convolve<T>(context, g, x, w, b, y); });
}

}  // namespace lapidary::reference
