// SPDX-License-Identifier: Apache-2.0
// ConvTranspose (1, 11, 22): every input position adds its value times the kernel into the output
// it reaches.
#include <algorithm>
#include <vector>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/window.h"

namespace lapidary::reference {
namespace {

struct TransposeGeometry {
    std::int64_t images, groups, channels, filters;  // channels and filters of one group
    std::vector<WindowAxis> axes;
    std::int64_t input_size = 1, output_size = 1, taps = 1;
};

TransposeGeometry transpose_geometry_of(const Node& node, const Tensor& x, const Tensor& w,
                                        const Tensor* b) {
    if (x.rank() < 3 || w.rank() != x.rank())
        fail_input("ConvTranspose: expected X and W of one rank, at least 3, found " +
                   to_string(x.shape()) + " and " + to_string(w.shape()));
    const auto spatial = static_cast<std::size_t>(x.rank() - 2);
    const WindowAttributes attributes = read_window_attributes(node, spatial);
    const std::span<const std::int64_t> kernel(w.shape().data() + 2, spatial),
        input(x.shape().data() + 2, spatial);
    if (!attributes.kernel.empty() &&
        !std::equal(kernel.begin(), kernel.end(), attributes.kernel.begin()))
        fail_input("ConvTranspose: kernel_shape " + to_string(attributes.kernel) +
                   " differs from the weight " + to_string(w.shape()));
    TransposeGeometry g{};
    g.groups = node.int_attribute("group", 1);
    if (g.groups < 1)
        fail_model("attribute group: expected at least 1, found " + std::to_string(g.groups));
    if (x.dim(1) != w.dim(0) || x.dim(1) % g.groups != 0)
        fail_input("ConvTranspose: X " + to_string(x.shape()) + " and W " + to_string(w.shape()) +
                   " do not fit " + std::to_string(g.groups) + " group(s)");
    g.images = x.dim(0);
    g.channels = x.dim(1) / g.groups;
    g.filters = w.dim(1);
    if (b && (b->rank() != 1 || b->dim(0) != g.filters * g.groups))
        fail_input("ConvTranspose: expected a bias [" + std::to_string(g.filters * g.groups) +
                   "], found " + to_string(b->shape()));
    g.axes = transposed_window_axes(attributes, input, kernel);
    for (const auto& a : g.axes) {
        g.input_size *= a.input;
        g.output_size *= a.output;
        g.taps *= a.kernel;
    }
    return g;
}

/// Adds `values` (input rows [first_row, end_row) of one filter under one tap) into the filter's
/// output.
template <typename T>
void scatter_tap(const TransposeGeometry& g, std::int64_t tap, std::int64_t first_row,
                 std::int64_t end_row, const T* values, T* y) {
    const WindowAxis& last = g.axes.back();
    const std::int64_t start = tap % last.kernel * last.dilation - last.pad_begin;
    const std::int64_t first = start >= 0 ? 0 : (-start + last.stride - 1) / last.stride;
    const std::int64_t end =
        start >= last.output ? 0
                             : std::min(last.input, (last.output - 1 - start) / last.stride + 1);
    for (std::int64_t row = first_row; row < end_row; ++row, values += last.input) {
        std::int64_t row_left = row, tap_left = tap / last.kernel, to_row = 0, scale = 1;
        bool inside = true;
        for (std::size_t axis = g.axes.size() - 1; axis-- > 0;) {
            const WindowAxis& a = g.axes[axis];
            const std::int64_t at =
                row_left % a.input * a.stride - a.pad_begin + tap_left % a.kernel * a.dilation;
            inside = inside && at >= 0 && at < a.output;
            to_row += at * scale;
            scale *= a.output;
            row_left /= a.input;
            tap_left /= a.kernel;
        }
        if (!inside) continue;
        T* to = y + to_row * last.output + start;
        for (std::int64_t i = first; i < end; ++i) to[i * last.stride] += values[i];
    }
}

/// Filters [first, end) of one image and group; `turned` is the group's weight as [filters * taps,
/// channels].
template <typename T>
void transpose_filters(const CancelToken& cancel, const TransposeGeometry& g, const T* image,
                       const T* turned, std::int64_t first, std::int64_t end, T* y) {
    const std::int64_t row = g.axes.back().input, rows = row == 0 ? 0 : g.input_size / row;
    const std::int64_t rows_at_once =
        std::max<std::int64_t>(1, 4096 / std::max<std::int64_t>(1, row));
    const std::int64_t filters_at_once = std::max<std::int64_t>(1, 64 / g.taps);
    std::vector<T> products;
    for (std::int64_t m = first; m < end; m += filters_at_once) {
        const std::int64_t filters = std::min(filters_at_once, end - m);
        for (std::int64_t r = 0; r < rows; r += rows_at_once) {
            const std::int64_t row_end = std::min(rows, r + rows_at_once),
                               columns = (row_end - r) * row;
            products.assign(static_cast<std::size_t>(filters * g.taps * columns), T(0));
            multiply_add<T>(nullptr, cancel, filters * g.taps, columns, g.channels,
                            turned + m * g.taps * g.channels, g.channels,
                            DenseMatrix<T>{image + r * row, g.input_size, false}, products.data(),
                            columns);
            for (std::int64_t f = 0; f < filters; ++f)
                for (std::int64_t tap = 0; tap < g.taps; ++tap)
                    scatter_tap(g, tap, r, row_end, products.data() + (f * g.taps + tap) * columns,
                                y + (m + f) * g.output_size);
        }
    }
}

template <typename T>
void convolve_transposed(KernelContext& context, const TransposeGeometry& g, const Tensor& x,
                         const Tensor& w, const Tensor* b, Tensor& y) {
    const Widened<T> input(context, x), weight(context, w), bias(context, b);
    Narrowed<T> output(context, y);
    if (output.size() == 0) return;
    Tensor turned = context.scratch(dtype_of<T>, {g.groups, g.filters * g.taps, g.channels});
    T* turned_data = turned.mutable_data<T>().data();
    const std::int64_t group_weight = g.channels * g.filters * g.taps;
    for (std::int64_t group = 0; group < g.groups; ++group)
        transpose_matrix(weight.data() + group * group_weight, g.channels, g.filters * g.taps,
                         turned_data + group * group_weight);

    const std::int64_t all_filters = g.images * g.groups * g.filters;
    context.threads().parallel_for(all_filters, 1, [&](std::int64_t begin, std::int64_t end) {
        while (begin < end) {
            // index = image * groups + group
            const std::int64_t index = begin / g.filters, group = index % g.groups;
            const std::int64_t first = begin % g.filters,
                               last = std::min(g.filters, first + end - begin);
            T* y_group = output.data() + index * g.filters * g.output_size;
            for (std::int64_t m = first; m < last; ++m)
                std::fill_n(y_group + m * g.output_size, g.output_size,
                            bias ? bias[group * g.filters + m] : T(0));
            transpose_filters(context.cancel(), g, input.data() + index * g.channels * g.input_size,
                              turned_data + group * group_weight, first, last, y_group);
            begin += last - first;
        }
    });
    output.store();
}

}  // namespace

void conv_transpose(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    const Tensor* b = context.optional_input(2);
    require_same_type(x, w, "ConvTranspose inputs");
    if (b) require_same_type(x, *b, "ConvTranspose inputs");
    const TransposeGeometry g = transpose_geometry_of(context.node(), x, w, b);
    Shape shape{x.dim(0), g.filters * g.groups};
    for (const auto& a : g.axes) shape.push_back(a.output);
    Tensor& y = context.output(0, x.dtype(), std::move(shape));
    dispatch_compute(x.dtype(),
                     [&]<typename T>() { convolve_transposed<T>(context, g, x, w, b, y); });
}

}  // namespace lapidary::reference
