// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc: the plain operators between two reorders, for any block size. Declared
// shapes and the order of elements are those of tensor/channel_blocks.h.
#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/fused_activation.h"
#include "ops/channel_block.h"
#include "tensor/channel_blocks.h"

namespace lapidary::reference {

void average_pool(KernelContext&);
void conv(KernelContext&);
void global_average_pool(KernelContext&);
void global_max_pool(KernelContext&);
void max_pool(KernelContext&);
void resize(KernelContext&);

namespace {

std::int64_t block_of(const KernelContext& context) {
    const std::int64_t block =
        context.node().int_attribute(channel_block_attribute, cpu_channel_block());
    if (block < 1)
        context.fail("attribute channel_block: expected at least 1, found " +
                     std::to_string(block));
    return block;
}

const Tensor& image_input(KernelContext& context, std::size_t index) {
    const Tensor& x = context.input(index);
    if (x.dtype() != DType::f32 || x.rank() != 4)
        context.fail("input " + std::to_string(index) + ": expected f32 of rank 4, found " +
                     std::string(name_of(x.dtype())) + to_string(x.shape()));
    return x;
}

const Tensor& blocked_input(KernelContext& context, std::size_t index, std::int64_t block) {
    const Tensor& x = image_input(context, index);
    if (x.dim(1) % block != 0)
        context.fail("input " + std::to_string(index) + ": " + std::to_string(x.dim(1)) +
                     " channels are no whole blocks of " + std::to_string(block));
    return x;
}

/// Runs reorder(from, to) for every image.
template <typename Reorder>
void for_each_image(KernelContext& context, const Tensor& from, Tensor& to,
                    const Reorder& reorder) {
    const std::int64_t images = from.dim(0);
    if (images == 0) return;
    const std::int64_t from_step = from.size() / images, to_step = to.size() / images;
    const float* source = from.data<float>().data();
    float* target = to.mutable_data<float>().data();
    context.threads().parallel_for(images, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            context.cancel().throw_if_cancelled();
            reorder(source + i * from_step, target + i * to_step);
        }
    });
}

/// [N, C, H, W] of whole blocks in plain order.
Tensor in_plain_order(KernelContext& context, const Tensor& x, std::int64_t block) {
    Tensor plain = context.scratch(DType::f32, x.shape());
    for_each_image(context, x, plain, [&](const float* from, float* to) {
        unblock_channels(from, to, x.dim(1), x.dim(2) * x.dim(3), block);
    });
    return plain;
}

Tensor& store_blocked(KernelContext& context, const Tensor& plain, std::int64_t block) {
    Tensor& y = context.output(0, DType::f32, plain.shape());
    for_each_image(context, plain, y, [&](const float* from, float* to) {
        block_channels(from, to, plain.dim(1), plain.dim(2) * plain.dim(3), block);
    });
    return y;
}

void run_pool(KernelContext& context, KernelFunction pool, std::string op_type) {
    const std::int64_t block = block_of(context);
    const Tensor x = in_plain_order(context, blocked_input(context, 0, block), block);
    store_blocked(context,
                  run_nested_one(context, pool,
                                 {std::move(op_type), 22, window_attributes(context.node())}, {x}),
                  block);
}

}  // namespace

void blocked_average_pool(KernelContext& context) {
    run_pool(context, average_pool, "AveragePool");
}
void blocked_global_average_pool(KernelContext& context) {
    run_pool(context, global_average_pool, "GlobalAveragePool");
}
void blocked_global_max_pool(KernelContext& context) {
    run_pool(context, global_max_pool, "GlobalMaxPool");
}
void blocked_max_pool(KernelContext& context) { run_pool(context, max_pool, "MaxPool"); }

/// Y = activation(Conv(X, W) + B + Sum). One group of fewer channels than a block reads X in plain
/// order.
void blocked_conv(KernelContext& context) {
    const std::int64_t block = block_of(context), group = context.node().int_attribute("group", 1);
    const bool reads_plain = group == 1 && image_input(context, 0).dim(1) < block;
    const Tensor x = reads_plain ? context.input(0)
                                 : in_plain_order(context, blocked_input(context, 0, block), block);
    const Tensor& w = image_input(context, 1);
    const bool is_depthwise = group > 1 && w.dim(1) == 1 && w.dim(0) == group;
    const Tensor weight = unblocked_weight(w, block, !reads_plain && !is_depthwise);
    const Tensor* bias = context.optional_input(2);
    Tensor& y =
        store_blocked(context,
                      run_nested_one(context, conv, {"Conv", 22, window_attributes(context.node())},
                                     {x, weight, bias ? *bias : Tensor()}),
                      block);
    if (const Tensor* sum = context.optional_input(conv_input::sum)) {
        if (sum->dtype() != DType::f32 || sum->shape() != y.shape())
            context.fail("input 3: expected f32" + to_string(y.shape()) + ", found " +
                         std::string(name_of(sum->dtype())) + to_string(sum->shape()));
        const auto addend = sum->data<float>();
        const auto to = y.mutable_data<float>();
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += addend[i];
    }
    const std::string activation = context.node().string_attribute("activation", "");
    if (activation.empty()) return;
    const Tensor result =
        activated(context, activation, context.node().floats_attribute("activation_params"), y);
    std::ranges::copy(result.data<float>(), y.mutable_data<float>().begin());
}

void reorder_input(KernelContext& context) {
    const std::int64_t block = block_of(context);
    const Tensor& x = image_input(context, 0);
    const bool is_last = context.node().int_attribute("channels_last", 0) != 0;
    const std::int64_t channels = x.dim(is_last ? 3 : 1), height = x.dim(is_last ? 1 : 2),
                       width = x.dim(is_last ? 2 : 3);
    Tensor& y =
        context.output(0, DType::f32, {x.dim(0), rounded_to_block(channels, block), height, width});
    for_each_image(context, x, y, [&](const float* from, float* to) {
        if (is_last) block_channels_last(from, to, channels, height * width, block);
        else block_channels(from, to, channels, height * width, block);
    });
}

void reorder_output(KernelContext& context) {
    const std::int64_t block = block_of(context);
    const Tensor& x = blocked_input(context, 0, block);
    const bool is_last = context.node().int_attribute("channels_last", 0) != 0;
    const std::int64_t channels = context.node().has_attribute("channels")
                                      ? context.node().int_attribute("channels", 0)
                                      : x.dim(1);
    if (channels < 1 || channels > x.dim(1))
        context.fail("attribute channels: expected 1 to " + std::to_string(x.dim(1)) + ", found " +
                     std::to_string(channels));
    Shape shape{x.dim(0), channels, x.dim(2), x.dim(3)};
    if (is_last) shape = {x.dim(0), x.dim(2), x.dim(3), channels};
    Tensor& y = context.output(0, DType::f32, shape);
    for_each_image(context, x, y, [&](const float* from, float* to) {
        if (is_last) unblock_channels_last(from, to, channels, x.dim(2) * x.dim(3), block);
        else unblock_channels(from, to, channels, x.dim(2) * x.dim(3), block);
    });
}

void blocked_upsample(KernelContext& context) {
    const std::int64_t block = block_of(context);
    const auto scales = context.node().ints_attribute("scales", {1, 1, 1, 1});
    if (scales.size() != 4 || scales[0] != 1 || scales[1] != 1 || scales[2] < 1 || scales[3] < 1)
        context.fail("attribute scales: expected [1,1,height,width], found " + to_string(scales));
    const Tensor x = in_plain_order(context, blocked_input(context, 0, block), block);
    NestedNode node{"Resize", 13};
    node.set("mode", context.node().string_attribute("mode", "nearest"));
    node.set("coordinate_transformation_mode",
             context.node().string_attribute("coordinate_transformation_mode", "asymmetric"));
    node.set("nearest_mode", std::string("floor"));
    const Tensor factors = Tensor::of<float>(
        {4}, {1, 1, static_cast<float>(scales[2]), static_cast<float>(scales[3])});
    store_blocked(context, run_nested_one(context, resize, node, {x, Tensor(), factors}), block);
}

}  // namespace lapidary::reference
