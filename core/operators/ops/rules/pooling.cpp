// SPDX-License-Identifier: Apache-2.0
// Pools, un-pooling, pooling of regions.
#include <cmath>

#include <fmt/format.h>

#include "ops/rules/window_shapes.h"

namespace lapidary {

void infer_pool_on(InferenceContext& ctx, std::size_t input, bool channels_last) {
    const InputShape* x = shape_of_least_rank(ctx, input, 3, "X");
    const std::size_t rank = x ? x->size() : ctx.node().ints_attribute("kernel_shape").size() + 2;
    const WindowAttributes window = read_window_attributes(ctx.node(), rank - 2);
    if (window.kernel.empty()) ctx.fail("kernel_shape is missing");
    if (!x) return ctx.set_output_shape(0, SymbolicShape(rank));
    SymbolicShape result = *x;
    for (std::size_t i = 0; i < rank - 2; ++i) {
        Dim& size = result[channels_last ? 1 + i : 2 + i];
        size = window_size(window, i, size, window.kernel[i]);
    }
    ctx.set_output_shape(0, result);
    ctx.set_output_shape(1, std::move(result));
}

void infer_global_pool_on(InferenceContext& ctx, std::size_t input, bool channels_last) {
    const InputShape* x = shape_of_least_rank(ctx, input, 2, "X");
    if (!x) return;
    SymbolicShape result = *x;
    for (std::size_t i = channels_last ? 1 : 2; i < result.size() - (channels_last ? 1 : 0); ++i)
        result[i] = 1;
    ctx.set_output_shape(0, std::move(result));
}

void infer_pool(InferenceContext& ctx) { infer_pool_on(ctx, 0, false); }

void infer_max_pool(InferenceContext& ctx) {
    const std::int64_t order = ctx.node().int_attribute("storage_order", 0);
    if (order != 0 && order != 1)
        ctx.fail(fmt::format("attribute storage_order must be 0 or 1, found {}", order));
    infer_pool(ctx);
}

void infer_lp_pool(InferenceContext& ctx) {
    positive_attribute(ctx, "p", 2);
    infer_pool(ctx);
}

void infer_global_pool(InferenceContext& ctx) { infer_global_pool_on(ctx, 0, false); }

void infer_max_unpool(InferenceContext& ctx) {
    const InputShape *x = shape_of_least_rank(ctx, 0, 3, "X"), *indices = ctx.input_shape(1);
    if (!x) return;
    if (indices) {
        if (indices->size() != x->size())
            ctx.fail(fmt::format("X and I must have one shape, found {} and {}", to_string(*x),
                                 to_string(*indices)));
        for (std::size_t i = 0; i < x->size(); ++i)
            same_dim(ctx, (*x)[i], (*indices)[i], fmt::format("X and I, axis {}", i));
    }
    const WindowAttributes window = read_window_attributes(ctx.node(), x->size() - 2);
    SymbolicShape result = *x;
    if (ctx.has_input(2)) {
        const auto shape = ctx.elements(2);
        if (shape && shape->size() != x->size())
            ctx.fail(
                fmt::format("output_shape has {} entries for rank {}", shape->size(), x->size()));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = shape && surely_not_negative((*shape)[i]) ? (*shape)[i] : Dim();
        return ctx.set_output_shape(0, std::move(result));
    }
    for (std::size_t i = 0; i + 2 < result.size(); ++i) {
        Dim size = add(multiply(subtract(result[2 + i], 1), window.strides[i]), window.kernel[i]);
        size = subtract(subtract(size, window.pads_begin[i]), window.pads_end[i]);
        if (constant_of(size).value_or(0) < 0)
            ctx.fail(fmt::format("spatial axis {} would have {} elements", i, to_string(size)));
        result[2 + i] = size;
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_max_roi_pool(InferenceContext& ctx) {
    const InputShape *x = shape_of_rank(ctx, 0, 4, "X"), *rois = shape_of_rank(ctx, 1, 2, "rois");
    const Ints pooled = ctx.node().ints_attribute("pooled_shape");
    if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
        ctx.fail("attribute pooled_shape must hold two positive sizes");
    if (rois) same_dim(ctx, (*rois)[1], 5, "rois must have 5 columns");
    ctx.set_output_shape(0, {rois ? (*rois)[0] : Dim(), x ? (*x)[1] : Dim(), pooled[0], pooled[1]});
}

void infer_roi_align(InferenceContext& ctx) {
    word_attribute(ctx, "mode", "avg", {"avg", "max"});
    if (ctx.version() >= 16)
        word_attribute(ctx, "coordinate_transformation_mode", "half_pixel",
                       {"half_pixel", "output_half_pixel"});
    const InputShape *x = shape_of_rank(ctx, 0, 4, "X"), *rois = shape_of_rank(ctx, 1, 2, "rois"),
                     *batch = shape_of_rank(ctx, 2, 1, "batch_indices");
    const std::int64_t height = positive_attribute(ctx, "output_height", 1),
                       width = positive_attribute(ctx, "output_width", 1);
    if (ctx.node().int_attribute("sampling_ratio", 0) < 0)
        ctx.fail("attribute sampling_ratio must not be negative");
    if (!std::isfinite(ctx.node().float_attribute("spatial_scale", 1)))
        ctx.fail("attribute spatial_scale must be finite");
    if (rois) same_dim(ctx, (*rois)[1], 4, "rois must have 4 columns");
    Dim count = rois ? (*rois)[0] : Dim();
    if (batch)
        count = same_dim(ctx, count, (*batch)[0], "rois and batch_indices must have one length");
    ctx.set_output_shape(0, {count, x ? (*x)[1] : Dim(), height, width});
}

}  // namespace lapidary
