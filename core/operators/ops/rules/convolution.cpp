// SPDX-License-Identifier: Apache-2.0
// Convolutions: plain, integer, transposed, deformable.
#include <algorithm>

#include <fmt/format.h>

#include "ops/rules/quantization_checks.h"
#include "ops/rules/window_shapes.h"

namespace lapidary {
namespace {

Dim extent_of(const Dim& kernel, std::int64_t dilation) {
    return add(multiply(subtract(kernel, 1), dilation), 1);
}

std::int64_t checked_group(const InferenceContext& ctx) {
    return positive_attribute(ctx, "group", 1);
}

void check_kernel_shape(const InferenceContext& ctx, const WindowAttributes& window,
                        const SymbolicShape& weight) {
    for (std::size_t i = 0; i < window.kernel.size(); ++i) {
        same_dim(ctx, window.kernel[i], weight[2 + i],
                 fmt::format("kernel_shape and weight, spatial axis {}", i));
    }
    for (std::size_t i = 2; i < weight.size(); ++i) {
        if (weight[i] == Dim(0))
            ctx.fail(fmt::format("the weight of shape {} has an empty kernel", to_string(weight)));
    }
}

void check_bias(const InferenceContext& ctx, std::size_t bias, const Dim& channels) {
    if (bias == ConvolutionInputs::none || !ctx.has_input(bias)) return;
    if (const InputShape* shape = shape_of_rank(ctx, bias, 1, "the bias")) {
        same_dim(ctx, (*shape)[0], channels, "the bias must have one element per output channel");
    }
}

}  // namespace

Dim window_size(const WindowAttributes& w, std::size_t axis, const Dim& input, const Dim& kernel) {
    if (input.is_known() && kernel.is_known())
        return window_axis(w, axis, input.value(), kernel.value()).output;
    const std::int64_t stride = w.strides[axis];
    if (w.auto_pad == AutoPad::same_upper || w.auto_pad == AutoPad::same_lower)
        return ceil_divide(input, stride);
    const Dim extent = extent_of(kernel, w.dilations[axis]);
    const Dim steps = subtract(add(add(input, w.pads_begin[axis]), w.pads_end[axis]), extent);
    if (!w.ceil_mode || stride == 1) return add(floor_divide(steps, stride), 1);
    // The last window is dropped when it starts in the end padding; that cannot happen with little
    // padding.
    const Dim room = subtract(subtract(extent, w.pads_end[axis]), stride);
    return surely_not_negative(room) ? add(ceil_divide(steps, stride), 1) : Dim();
}

Dim transposed_window_size(const WindowAttributes& w, std::size_t axis, const Dim& input,
                           const Dim& kernel) {
    if (!w.output_shape.empty()) return w.output_shape[axis];
    if (input.is_known() && kernel.is_known())
        return transposed_window_axis(w, axis, input.value(), kernel.value()).output;
    if (w.auto_pad == AutoPad::same_upper || w.auto_pad == AutoPad::same_lower)
        return multiply(input, w.strides[axis]);
    const Dim full = add(add(multiply(subtract(input, 1), w.strides[axis]), w.output_padding[axis]),
                         extent_of(kernel, w.dilations[axis]));
    return subtract(subtract(full, w.pads_begin[axis]), w.pads_end[axis]);
}

void infer_convolution(InferenceContext& ctx, const ConvolutionInputs& inputs) {
    const InputShape* x = shape_of_least_rank(ctx, inputs.x, 3, "X");
    const InputShape* weight = shape_of_least_rank(ctx, inputs.weight, 3, "W");
    const std::int64_t group = checked_group(ctx);
    if (x && weight && x->size() != weight->size()) {
        ctx.fail(fmt::format("X of shape {} and W of shape {} must have one rank", to_string(*x),
                             to_string(*weight)));
    }
    const std::size_t rank = x ? x->size() : weight ? weight->size() : 0;
    if (rank == 0) return;
    const WindowAttributes window = read_window_attributes(ctx.node(), rank - 2);
    if (weight) check_kernel_shape(ctx, window, *weight);
    const std::size_t channel_axis = inputs.channels_last ? rank - 1 : 1;
    if (x && weight) {
        same_dim(ctx, (*x)[channel_axis], multiply((*weight)[1], group),
                 fmt::format("channels of X {} and W {} with group {}", to_string(*x),
                             to_string(*weight), group));
    }
    const Dim channels = weight ? (*weight)[0] : Dim();
    if (channels.is_known() && channels.value() % group != 0) {
        ctx.fail(fmt::format("{} output channels are not divisible by group {}", channels.value(),
                             group));
    }
    check_bias(ctx, inputs.bias, channels);
    SymbolicShape result(rank);
    if (x) result[0] = (*x)[0];
    result[channel_axis] = channels;
    for (std::size_t i = 0; i < rank - 2; ++i) {
        const std::size_t place = inputs.channels_last ? 1 + i : 2 + i;
        const Dim kernel = weight                     ? (*weight)[2 + i]
                           : i < window.kernel.size() ? Dim(window.kernel[i])
                                                      : Dim();
        if (x) result[place] = window_size(window, i, (*x)[place], kernel);
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_conv(InferenceContext& ctx) { infer_convolution(ctx, {}); }

void infer_conv_integer(InferenceContext& ctx) {
    require_scalar(ctx, 2, "x_zero_point");
    infer_convolution(ctx, {0, 1, ConvolutionInputs::none, false});
}

void infer_qlinear_conv(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "x_scale");
    require_usable_scale(ctx, 4, "w_scale");
    require_usable_scale(ctx, 6, "y_scale");
    require_same_shape(ctx, 1, 2);
    require_same_shape(ctx, 4, 5);
    require_same_shape(ctx, 6, 7);
    const InputShape *weight = ctx.input_shape(3), *scale = ctx.input_shape(4);
    if (weight && !weight->empty() && scale && scale->size() == 1 && (*scale)[0] != Dim(1)) {
        same_dim(ctx, (*scale)[0], (*weight)[0],
                 "w_scale must have one element, or one per output channel");
    }
    infer_convolution(ctx, {0, 3, 8, ctx.node().int_attribute("channels_last", 0) != 0});
}

namespace {

void check_transposed_channels(const InferenceContext& ctx, const SymbolicShape& x,
                               const SymbolicShape& weight, std::int64_t group) {
    same_dim(ctx, x[1], weight[0],
             fmt::format("channels of X {} and W {}", to_string(x), to_string(weight)));
    if (x[1].is_known() && x[1].value() % group != 0)
        ctx.fail(fmt::format("{} channels are not divisible by group {}", x[1].value(), group));
}

/// Checks that the requested size along spatial axis `axis` is within the reach of the windows
/// without padding.
void check_output_shape(const InferenceContext& ctx, const WindowAttributes& window,
                        std::size_t axis, std::int64_t input, std::int64_t kernel) {
    WindowAttributes natural = window;
    natural.output_shape.clear();
    natural.auto_pad = AutoPad::notset;
    std::fill(natural.pads_begin.begin(), natural.pads_begin.end(), 0);
    std::fill(natural.pads_end.begin(), natural.pads_end.end(), 0);
    const std::int64_t full = transposed_window_axis(natural, axis, input, kernel).output;
    if (window.output_shape[axis] - full >= window.strides[axis]) {
        ctx.fail(fmt::format(
            "output_shape {} of spatial axis {} is more than the {} that the windows reach",
            window.output_shape[axis], axis, full));
    }
}

}  // namespace

void infer_conv_transpose(InferenceContext& ctx) {
    const InputShape *x = shape_of_least_rank(ctx, 0, 3, "X"),
                     *weight = shape_of_least_rank(ctx, 1, 3, "W");
    const std::int64_t group = checked_group(ctx);
    if (x && weight && x->size() != weight->size()) {
        ctx.fail(fmt::format("X of shape {} and W of shape {} must have one rank", to_string(*x),
                             to_string(*weight)));
    }
    const std::size_t rank = x ? x->size() : weight ? weight->size() : 0;
    if (rank == 0) return;
    const WindowAttributes window = read_window_attributes(ctx.node(), rank - 2);
    for (std::size_t i = 0; i < rank - 2; ++i) {
        const std::int64_t bound = std::max(window.strides[i], window.dilations[i]);
        if (window.output_padding[i] >= bound) {
            ctx.fail(fmt::format(
                "output_padding {} of spatial axis {} must be less than its stride or dilation {}",
                window.output_padding[i], i, bound));
        }
    }
    if (weight) check_kernel_shape(ctx, window, *weight);
    if (x && weight) check_transposed_channels(ctx, *x, *weight, group);
    const Dim channels = weight ? multiply((*weight)[1], group) : Dim();
    check_bias(ctx, 2, channels);
    SymbolicShape result(rank);
    if (x) result[0] = (*x)[0];
    result[1] = channels;
    for (std::size_t i = 0; x && i < rank - 2; ++i) {
        const Dim& input = (*x)[2 + i];
        const Dim kernel = weight                     ? (*weight)[2 + i]
                           : i < window.kernel.size() ? Dim(window.kernel[i])
                                                      : Dim();
        if (!window.output_shape.empty() && input.is_known() && kernel.is_known())
            check_output_shape(ctx, window, i, input.value(), kernel.value());
        result[2 + i] = transposed_window_size(window, i, input, kernel);
    }
    ctx.set_output_shape(0, std::move(result));
}

/// X, W, offset, bias, mask.
void infer_deform_conv(InferenceContext& ctx) {
    const std::int64_t offset_group = positive_attribute(ctx, "offset_group", 1);
    infer_convolution(ctx, {0, 1, 3, false});
    const InputShape *x = ctx.input_shape(0), *weight = ctx.input_shape(1),
                     *offset = ctx.input_shape(2), *mask = ctx.input_shape(4);
    if (!x || !weight) return;
    if ((*x)[1].is_known() && (*x)[1].value() % offset_group != 0) {
        ctx.fail(fmt::format("{} channels are not divisible by offset_group {}", (*x)[1].value(),
                             offset_group));
    }
    const Dim taps = multiply(product_of(*weight, 2, weight->size()), offset_group);
    const auto spatial = static_cast<std::int64_t>(x->size() - 2);
    if (offset && offset->size() == x->size())
        same_dim(ctx, (*offset)[1], multiply(taps, spatial), "offset channels");
    if (mask && mask->size() == x->size()) same_dim(ctx, (*mask)[1], taps, "mask channels");
}

}  // namespace lapidary
