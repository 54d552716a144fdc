// SPDX-License-Identifier: Apache-2.0
// DeformConv (19, 22): a convolution whose taps move by learned fractional offsets and are weighted
// by a mask, for any spatial rank. Values between input positions are multilinear; positions
// outside the input count as zero.
#include <algorithm>
#include <cmath>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"
#include "ops/geometry/window.h"

namespace lapidary::reference {
namespace {

struct DeformGeometry {
    std::int64_t groups, offset_groups, channels, filters;  // channels: of X; filters: of W
    std::vector<WindowAxis> axes;
    std::int64_t input_size = 1, output_size = 1, taps = 1;
};

DeformGeometry geometry_of(const KernelContext& context) {
    const Node& node = context.node();
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    if (x.rank() < 3 || w.rank() != x.rank() || x.rank() > 8)
        fail_input("DeformConv: expected X and W of one rank from 3 to 8, found " +
                   to_string(x.shape()) + " and " + to_string(w.shape()));
    const auto rank = static_cast<std::size_t>(x.rank() - 2);
    const WindowAttributes attributes = read_window_attributes(node, rank);
    const std::span<const std::int64_t> kernel(w.shape().data() + 2, rank),
        input(x.shape().data() + 2, rank);
    if (!attributes.kernel.empty() &&
        !std::equal(kernel.begin(), kernel.end(), attributes.kernel.begin()))
        fail_input("DeformConv: kernel_shape " + to_string(attributes.kernel) +
                   " differs from the weight " + to_string(w.shape()));
    DeformGeometry g{};
    g.groups = node.int_attribute("group", 1);
    g.offset_groups = node.int_attribute("offset_group", 1);
    g.channels = x.dim(1);
    g.filters = w.dim(0);
    if (g.groups < 1 || g.offset_groups < 1 || g.filters % g.groups != 0 ||
        g.channels % g.groups != 0 || g.channels % g.offset_groups != 0 ||
        w.dim(1) != g.channels / g.groups)
        fail_input("DeformConv: X " + to_string(x.shape()) + " and W " + to_string(w.shape()) +
                   " do not fit group " + std::to_string(g.groups) + " and offset_group " +
                   std::to_string(g.offset_groups));
    g.axes = window_axes(attributes, input, kernel);
    Shape offset{x.dim(0), g.offset_groups * static_cast<std::int64_t>(rank)},
        mask{x.dim(0), g.offset_groups};
    for (const auto& a : g.axes) {
        g.input_size *= a.input;
        g.output_size *= a.output;
        g.taps *= a.kernel;
        offset.push_back(a.output);
        mask.push_back(a.output);
    }
    offset[1] *= g.taps;
    mask[1] *= g.taps;
    const auto require_shape = [](const Tensor* t, const Shape& expected, const char* name) {
        if (t && t->shape() != expected)
            fail_input(std::string("DeformConv: expected ") + name + " " + to_string(expected) +
                       ", found " + to_string(t->shape()));
    };
    require_shape(&context.input(2), offset, "offset");
    require_shape(context.optional_input(deform_conv_input::bias), {g.filters}, "B");
    require_shape(context.optional_input(deform_conv_input::mask), mask, "mask");
    return g;
}

/// The multilinear value of `plane` at `position`; corners outside count as zero.
template <typename T>
T sample(const std::vector<WindowAxis>& axes, const T* plane, const T* position) {
    const std::size_t rank = axes.size();
    std::int64_t low[8];
    T fraction[8];
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (!(position[axis] > -1 && position[axis] < static_cast<T>(axes[axis].input))) return 0;
        const T floor = std::floor(position[axis]);
        low[axis] = static_cast<std::int64_t>(floor);
        fraction[axis] = position[axis] - floor;
    }
    T sum = 0;
    for (unsigned corner = 0; corner < 1u << rank; ++corner) {
        T weight = 1;
        std::int64_t offset = 0;
        bool inside = true;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            const bool upper = corner >> axis & 1u;
            const std::int64_t at = low[axis] + upper;
            weight *= upper ? fraction[axis] : 1 - fraction[axis];
            inside = inside && at >= 0 && at < axes[axis].input;
            offset = offset * axes[axis].input + at;
        }
        if (inside && weight != 0) sum += weight * plane[offset];
    }
    return sum;
}

/// Row [channel, tap] of the columns matrix: the sampled input under every output position.
/// `offsets` and `mask` (may be null) are those of the channel's offset group and this image.
template <typename T>
void sample_row(const DeformGeometry& g, std::int64_t tap, const T* plane, const T* offsets,
                const T* mask, T* to) {
    const std::size_t rank = g.axes.size();
    for (std::int64_t index = 0; index < g.output_size; ++index) {
        std::int64_t index_left = index, tap_left = tap;
        T position[8];
        for (std::size_t axis = rank; axis-- > 0;) {
            const WindowAxis& a = g.axes[axis];
            const std::int64_t regular =
                index_left % a.output * a.stride - a.pad_begin + tap_left % a.kernel * a.dilation;
            position[axis] =
                static_cast<T>(regular) +
                offsets[(tap * static_cast<std::int64_t>(rank) + static_cast<std::int64_t>(axis)) *
                            g.output_size +
                        index];
            index_left /= a.output;
            tap_left /= a.kernel;
        }
        to[index] = sample(g.axes, plane, position);
        if (mask) to[index] *= mask[tap * g.output_size + index];
    }
}

template <typename T>
void convolve(KernelContext& context, const DeformGeometry& g) {
    const Tensor& x = context.input(0);
    const Widened<T> input(context, x), weight(context, context.input(1)),
        offset(context, context.input(2));
    const Widened<T> bias(context, context.optional_input(deform_conv_input::bias)),
        mask(context, context.optional_input(deform_conv_input::mask));
    Shape shape{x.dim(0), g.filters};
    for (const auto& a : g.axes) shape.push_back(a.output);
    Narrowed<T> output(context, context.output(0, x.dtype(), shape));
    if (output.size() == 0) return;
    const std::int64_t rows = g.channels * g.taps, group_rows = rows / g.groups,
                       group_filters = g.filters / g.groups;
    const auto rank = static_cast<std::int64_t>(g.axes.size());
    Tensor columns = context.scratch(dtype_of<T>, {rows, g.output_size});
    T* matrix = columns.mutable_data<T>().data();
    for (std::int64_t n = 0; n < x.dim(0); ++n) {
        context.threads().parallel_for(rows, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                context.cancel().throw_if_cancelled();
                const std::int64_t channel = row / g.taps;
                const std::int64_t offset_group =
                    n * g.offset_groups + channel / (g.channels / g.offset_groups);
                sample_row(g, row % g.taps,
                           input.data() + (n * g.channels + channel) * g.input_size,
                           offset.data() + offset_group * g.taps * rank * g.output_size,
                           mask ? mask.data() + offset_group * g.taps * g.output_size : nullptr,
                           matrix + row * g.output_size);
            }
        });
        T* y = output.data() + n * g.filters * g.output_size;
        for (std::int64_t m = 0; m < g.filters; ++m)
            std::fill_n(y + m * g.output_size, g.output_size, bias ? bias[m] : T(0));
        for (std::int64_t group = 0; group < g.groups; ++group)
            multiply_add<T>(
                &context.threads(), context.cancel(), group_filters, g.output_size, group_rows,
                weight.data() + group * group_filters * group_rows, group_rows,
                DenseMatrix<T>{matrix + group * group_rows * g.output_size, g.output_size, false},
                y + group * group_filters * g.output_size, g.output_size);
    }
    output.store();
}

}  // namespace

void deform_conv(KernelContext& context) {
    const DeformGeometry g = geometry_of(context);
    dispatch_compute(context.input(0).dtype(), [&]<typename T>() { convolve<T>(context, g); });
}

}  // namespace lapidary::reference
