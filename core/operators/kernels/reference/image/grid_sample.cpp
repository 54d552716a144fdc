// SPDX-License-Identifier: Apache-2.0
// GridSample (16, 20, 22): samples X at the normalized locations of a grid; any number of spatial
// axes.
#include "kernels/reference/image/grid_sampling.h"

#include <limits>

#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {

GridGeometry read_grid_sample(const Node& node, const Tensor& x, const Tensor& grid) {
    if (x.rank() < 3 || grid.rank() != x.rank() || x.rank() > static_cast<int>(max_grid_axes) + 2)
        fail_input("GridSample: expected X and grid of one rank from 3 to 8, found " +
                   to_string(x.shape()) + " and " + to_string(grid.shape()));
    const std::size_t rank = x.shape().size() - 2;
    if (grid.dim(0) != x.dim(0) || grid.shape().back() != static_cast<std::int64_t>(rank))
        fail_input("GridSample: the grid " + to_string(grid.shape()) + " does not fit X " +
                   to_string(x.shape()));
    GridGeometry g{};
    g.axes = rank;
    const std::string mode = node.string_attribute("mode", "linear"),
                      padding = node.string_attribute("padding_mode", "zeros");
    if (mode == "nearest") g.mode = SampleMode::nearest;
    else if (mode == "linear" || mode == "bilinear") g.mode = SampleMode::linear;
    else if (mode == "cubic" || mode == "bicubic") g.mode = SampleMode::cubic;
    else fail_model("attribute mode: expected linear, nearest or cubic, found " + quote(mode));
    if (padding == "zeros") g.outside = OutsideMode::zeros;
    else if (padding == "border") g.outside = OutsideMode::border;
    else if (padding == "reflection") g.outside = OutsideMode::reflection;
    else
        fail_model("attribute padding_mode: expected zeros, border or reflection, found " +
                   quote(padding));
    g.align_corners = node.int_attribute("align_corners", 0) != 0;
    g.images = x.dim(0);
    g.channels = x.dim(1);
    g.output = {g.images, g.channels};
    for (std::size_t axis = 0; axis < rank; ++axis) {
        g.sizes[axis] = x.dim(axis + 2);
        g.output.push_back(grid.dim(axis + 1));
        g.input_size *= x.dim(axis + 2);
        g.output_size *= grid.dim(axis + 1);
    }
    if (g.input_size == 0 && element_count(g.output) > 0)
        fail_input("GridSample: X " + to_string(x.shape()) + " has nothing to sample");
    return g;
}

namespace {

/// Calls place(image, output position, taps per axis) for every location, in parallel over images
/// and positions.
template <typename F, typename Place>
void for_each_location(KernelContext& context, const GridGeometry& g, const Tensor& grid_tensor,
                       const Place& place) {
    const Widened<F> grid(context, grid_tensor);
    const std::size_t rank = g.axes;
    context.threads().parallel_for(
        g.images * g.output_size, 256, [&](std::int64_t begin, std::int64_t end) {
            context.cancel().throw_if_cancelled();
            std::array<AxisTaps<F>, max_grid_axes> taps;
            for (std::int64_t i = begin; i < end; ++i) {
                // Locations are written innermost axis first.
                for (std::size_t axis = 0; axis < rank; ++axis)
                    taps[axis] = taps_of<F>(g, g.sizes[axis],
                                            grid[i * static_cast<std::int64_t>(rank) +
                                                 static_cast<std::int64_t>(rank - 1 - axis)]);
                place(i / g.output_size, i % g.output_size, taps);
            }
        });
}

/// Calls tap(offset within a channel, weight) for every combination of taps inside the input.
template <typename F, typename Tap>
void for_each_tap(const GridGeometry& g, const std::array<AxisTaps<F>, max_grid_axes>& taps,
                  const Tap& tap) {
    int combinations = 1;
    for (std::size_t axis = 0; axis < g.axes; ++axis) combinations *= taps[axis].count;
    for (int c = 0; c < combinations; ++c) {
        int left = c;
        std::int64_t offset = 0, stride = 1;
        F weight = 1;
        bool inside = true;
        for (std::size_t axis = g.axes; axis-- > 0;) {
            const auto t = static_cast<std::size_t>(left % taps[axis].count);
            left /= taps[axis].count;
            inside = inside && taps[axis].index[t] >= 0;
            offset += taps[axis].index[t] * stride;
            stride *= g.sizes[axis];
            weight *= taps[axis].weight[t];
        }
        if (inside) tap(offset, weight);
    }
}

template <typename F>
void interpolate(KernelContext& context, const GridGeometry& g, const Tensor& grid, const F* x,
                 F* y) {
    for_each_location<F>(
        context, g, grid, [&](std::int64_t image, std::int64_t position, const auto& taps) {
            for (std::int64_t c = 0; c < g.channels; ++c) {
                const F* plane = x + (image * g.channels + c) * g.input_size;
                F sum = 0;
                for_each_tap<F>(
                    g, taps, [&](std::int64_t offset, F weight) { sum += weight * plane[offset]; });
                y[(image * g.channels + c) * g.output_size + position] = sum;
            }
        });
}

void pick(KernelContext& context, const GridGeometry& g, const Tensor& grid, const Tensor& x) {
    Tensor& y = context.output(0, x.dtype(), g.output);
    dispatch_by_width(x.dtype(), [&]<typename T>() {
        const T* from = static_cast<const T*>(x.raw());
        T* to = static_cast<T*>(y.mutable_raw());
        dispatch_compute(grid.dtype(), [&]<typename F>() {
            for_each_location<F>(context, g, grid,
                                 [&](std::int64_t image, std::int64_t position, const auto& taps) {
                                     for (std::int64_t c = 0; c < g.channels; ++c) {
                                         const std::int64_t channel = image * g.channels + c;
                                         T& value = to[channel * g.output_size + position];
                                         value = T{};
                                         for_each_tap<F>(g, taps, [&](std::int64_t offset, F) {
                                             value = from[channel * g.input_size + offset];
                                         });
                                     }
                                 });
        });
    });
}

void interpolate_integers(KernelContext& context, const GridGeometry& g, const Tensor& grid,
                          const Tensor& x) {
    const std::vector<double> input = to_doubles(x);
    Tensor result = context.scratch(DType::f64, g.output);
    interpolate<double>(context, g, grid, input.data(), result.mutable_data<double>().data());
    const auto values = result.data<double>();
    dispatch<IntegerTypes>(x.dtype(), [&]<typename I>() {
        auto to = context.output(0, x.dtype(), g.output).template mutable_data<I>();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const double low = static_cast<double>(std::numeric_limits<I>::min()),
                         high = static_cast<double>(std::numeric_limits<I>::max());
            to[i] = values[i] <= low    ? std::numeric_limits<I>::min()
                    : values[i] >= high ? std::numeric_limits<I>::max()
                                        : static_cast<I>(values[i]);
        }
    });
}

}  // namespace

void grid_sample(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& grid = context.input(1);
    const GridGeometry g = read_grid_sample(context.node(), x, grid);
    if (g.mode == SampleMode::nearest) {
        pick(context, g, grid, x);
    } else if (is_integer(x.dtype())) {
        interpolate_integers(context, g, grid, x);
    } else {
        const DType compute =
            x.dtype() == DType::f64 || grid.dtype() == DType::f64 ? DType::f64 : x.dtype();
        dispatch_compute(compute, [&]<typename F>() {
            const Widened<F> input(context, x);
            Narrowed<F> output(context, context.output(0, x.dtype(), g.output));
            interpolate<F>(context, g, grid, input.data(), output.data());
            output.store();
        });
    }
}

}  // namespace lapidary::reference
