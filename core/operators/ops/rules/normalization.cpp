// SPDX-License-Identifier: Apache-2.0
// Normalizations over batch, instance, layer or group.
#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

void require_per_channel(const InferenceContext& ctx, std::size_t input, const Dim& channels,
                         std::string_view name) {
    if (const InputShape* shape = shape_of_rank(ctx, input, 1, name)) {
        same_dim(ctx, (*shape)[0], channels,
                 fmt::format("{} must have one element per channel", name));
    }
}

}  // namespace

void infer_batch_normalization(InferenceContext& ctx) {
    const InputShape* x = shape_of_least_rank(ctx, 0, 1, "X");
    static constexpr std::string_view names[] = {"scale", "B", "mean", "var"};
    Dim channels = x ? x->size() > 1 ? (*x)[1] : Dim(1) : Dim();
    // Opsets 7 and 8 have spatial = 0: one statistic per element.
    const bool per_channel = ctx.version() >= 9 || ctx.node().int_attribute("spatial", 1) != 0;
    for (std::size_t i = 1; i < 5 && per_channel; ++i)
        require_per_channel(ctx, i, channels, names[i - 1]);
    copy_shape(ctx, 0, 0);
    for (std::size_t i = 1; i < ctx.output_count(); ++i) {
        if (channels.is_unknown() && ctx.input_shape(1) && ctx.input_shape(1)->size() == 1)
            channels = (*ctx.input_shape(1))[0];
        ctx.set_output_shape(i, {channels});
        if (ctx.output_type(i).dtype == DType::undefined)
            set_dtype(ctx, i, ctx.input_type(0).dtype);
    }
}

void infer_instance_normalization(InferenceContext& ctx) {
    if (const InputShape* x = shape_of_least_rank(ctx, 0, 3, "input")) {
        require_per_channel(ctx, 1, (*x)[1], "scale");
        require_per_channel(ctx, 2, (*x)[1], "B");
    }
    infer_same_shape(ctx);
}

/// LayerNormalization, RMSNormalization and SimplifiedLayerNormalization: scale and bias broadcast
/// to the normalized axes; further outputs hold one statistic for each of the others.
void infer_layer_normalization(InferenceContext& ctx) {
    copy_shape(ctx, 0, 0);
    const InputShape* x = ctx.input_shape(0);
    for (std::size_t i = 1; i < ctx.output_count(); ++i)
        set_dtype(ctx, i, dtype_attribute(ctx, "stash_type", DType::f32));
    if (!x) return;
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", -1), x->size());
    static constexpr std::string_view names[] = {"scale", "bias"};
    for (std::size_t i = 1; i < 3; ++i) {
        const InputShape* shape = ctx.input_shape(i);
        if (!shape) continue;
        const SymbolicShape both = broadcast(ctx, *x, *shape);
        bool fits = both.size() == x->size();
        for (std::size_t k = 0; k < x->size() && fits; ++k)
            fits = !surely_different(both[k], (*x)[k]);
        if (!fits)
            ctx.fail(fmt::format("{} of shape {} does not broadcast to X of shape {}", names[i - 1],
                                 to_string(*shape), to_string(*x)));
    }
    SymbolicShape statistics = *x;
    for (std::size_t i = axis; i < statistics.size(); ++i) statistics[i] = 1;
    for (std::size_t i = 1; i < ctx.output_count(); ++i) ctx.set_output_shape(i, statistics);
}

void infer_group_normalization(InferenceContext& ctx) {
    const std::int64_t groups = positive_attribute(ctx, "num_groups", 0);
    const InputShape* x = shape_of_least_rank(ctx, 0, 3, "X");
    if (x && (*x)[1].is_known() && (*x)[1].value() % groups != 0) {
        ctx.fail(
            fmt::format("{} channels are not divisible by num_groups {}", (*x)[1].value(), groups));
    }
    // Opset 18 has one scale and bias per group, opset 21 one per channel.
    const Dim expected = ctx.version() < 21 ? Dim(groups) : x ? (*x)[1] : Dim();
    require_elements(ctx, 1, expected, "scale");
    require_elements(ctx, 2, expected, "bias");
    infer_same_shape(ctx);
}

void infer_mean_variance_normalization(InferenceContext& ctx) {
    if (const InputShape* x = ctx.input_shape(0)) {
        checked_axes(ctx, ctx.node().ints_attribute("axes", {0, 2, 3}), x->size());
    }
    infer_same_shape(ctx);
}

void infer_lrn(InferenceContext& ctx) {
    positive_attribute(ctx, "size", 0);
    shape_of_least_rank(ctx, 0, 2, "X");
    infer_same_shape(ctx);
}

}  // namespace lapidary
