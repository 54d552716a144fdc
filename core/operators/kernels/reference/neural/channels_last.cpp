// SPDX-License-Identifier: Apache-2.0
// lapidary::ChannelsLastConv, ChannelsLastConvTranspose, ChannelsLastPool
// (core/engine/passes/session/move_channels_last.cpp): images are [N, spatial..., C]. The weight of
// ChannelsLastConv is [group, kernel..., C/group, M/group], that of ChannelsLastConvTranspose as
// ONNX has it. Input 0 of a ChannelsLastConv with image_first is [N, C, spatial...], and may be
// float32 where all else is float16.
#include <numeric>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/fused_activation.h"

namespace lapidary::reference {

void add(KernelContext&);
void average_pool(KernelContext&);
void cast(KernelContext&);
void conv(KernelContext&);
void conv_transpose(KernelContext&);
void max_pool(KernelContext&);
void transpose(KernelContext&);

namespace {

Tensor permuted(KernelContext& context, const Tensor& x, std::vector<std::int64_t> permutation) {
    return run_nested_one(context, transpose,
                          NestedNode{"Transpose"}.set("perm", std::move(permutation)), {x});
}

Tensor channels_first(KernelContext& context, const Tensor& x) {
    std::vector<std::int64_t> permutation{0, x.rank() - 1};
    for (std::int64_t i = 1; i + 1 < x.rank(); ++i) permutation.push_back(i);
    return permuted(context, x, std::move(permutation));
}

Tensor channels_last(KernelContext& context, const Tensor& x) {
    std::vector<std::int64_t> permutation{0};
    for (std::int64_t i = 2; i < x.rank(); ++i) permutation.push_back(i);
    permutation.push_back(1);
    return permuted(context, x, std::move(permutation));
}

/// [group, kernel..., C/group, M/group] as [M, C/group, kernel...].
Tensor filters_first(KernelContext& context, const Tensor& w) {
    const std::int64_t rank = w.rank();
    std::vector<std::int64_t> permutation{0, rank - 1, rank - 2};
    for (std::int64_t i = 1; i + 2 < rank; ++i) permutation.push_back(i);
    const Tensor moved = permuted(context, w, std::move(permutation));
    Shape shape(moved.shape().begin() + 1, moved.shape().end());
    shape[0] *= moved.dim(0);
    return moved.reshaped(std::move(shape));
}

Tensor optional_tensor(KernelContext& context, std::size_t index) {
    const Tensor* t = context.optional_input(index);
    return t ? *t : Tensor();
}

void check_rank(KernelContext& context) {
    if (context.input(0).rank() < 3)
        context.fail("expected an image of rank 3 or more, found " +
                     to_string(context.input(0).shape()));
}

}  // namespace

void channels_last_conv(KernelContext& context) {
    check_rank(context);
    const Node& node = context.node();
    const bool is_first = node.int_attribute("image_first", 0) != 0;
    Tensor x = is_first ? context.input(0) : channels_first(context, context.input(0));
    if (x.dtype() != context.input(1).dtype())
        x = run_nested_one(
            context, cast,
            NestedNode{"Cast", 13}.set("to", static_cast<std::int64_t>(context.input(1).dtype())),
            {x});
    Tensor y =
        run_nested_one(context, conv, {"Conv", 22, window_attributes(node)},
                       {x, filters_first(context, context.input(1)), optional_tensor(context, 2)});
    if (const Tensor* z = context.optional_input(conv_input::sum))
        y = run_nested_one(context, add, {"Add"}, {y, channels_first(context, *z)});
    y = activated(context, node.string_attribute("activation", ""),
                  node.floats_attribute("activation_params"), y);
    set_result(context, 0, channels_last(context, y));
}

void channels_last_conv_transpose(KernelContext& context) {
    check_rank(context);
    std::vector<Attribute> attributes = window_attributes(context.node());
    for (Attribute& a : attributes_named(context.node(), {"output_padding", "output_shape"}))
        attributes.push_back(std::move(a));
    const Tensor y = run_nested_one(
        context, conv_transpose, {"ConvTranspose", 22, std::move(attributes)},
        {channels_first(context, context.input(0)), context.input(1), optional_tensor(context, 2)});
    set_result(context, 0, channels_last(context, y));
}

void channels_last_pool(KernelContext& context) {
    check_rank(context);
    const bool is_max = context.node().string_attribute("pool", "") == "MaxPool";
    std::vector<Attribute> attributes =
        attributes_named(context.node(), {"auto_pad", "ceil_mode", "count_include_pad", "dilations",
                                          "kernel_shape", "pads", "strides"});
    NestedNode node{is_max ? "MaxPool" : "AveragePool", 22, std::move(attributes)};
    const Tensor y = run_nested_one(context, is_max ? max_pool : average_pool, std::move(node),
                                    {channels_first(context, context.input(0))});
    set_result(context, 0, channels_last(context, y));
}

}  // namespace lapidary::reference
