// SPDX-License-Identifier: Apache-2.0
// Reductions, arg-reductions, softmax family, running sums, TopK.
#include <algorithm>

#include <fmt/format.h>

#include "ops/geometry/reduced_axes.h"
#include "ops/rules/quantization_checks.h"

namespace lapidary {

namespace {

/// Output 0 of a reduction of input 0 over those axes.
void set_reduced_shape(InferenceContext& ctx, const Ints& axes) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    const bool keep = ctx.node().int_attribute("keepdims", 1) != 0;
    const AxisSet reduced =
        reduced_axes(axes, shape->size(), ctx.node().int_attribute("noop_with_empty_axes", 0) != 0);
    SymbolicShape result;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        if ((reduced >> i & 1) == 0) result.push_back((*shape)[i]);
        else if (keep) result.push_back(1);
    }
    ctx.set_output_shape(0, std::move(result));
}

}  // namespace

void infer_reduce(InferenceContext& ctx) {
    const ListArgument axes = list_argument(ctx, "axes", 1);
    const InputShape* shape = ctx.input_shape(0);
    if (!axes.given || axes.values || axes.count == 0)
        return set_reduced_shape(ctx, axes.values.value_or(Ints()));
    // else which axes is decided at run time, and without their number whether there are any
    if (!shape) return;
    if (ctx.node().int_attribute("keepdims", 1) != 0)
        ctx.set_output_shape(0, SymbolicShape(shape->size()));
    else if (axes.count && *axes.count <= static_cast<std::int64_t>(shape->size()))
        ctx.set_output_shape(0,
                             SymbolicShape(shape->size() - static_cast<std::size_t>(*axes.count)));
}

/// Axes are an attribute; inputs 1 to 4 are scales and zero points.
void infer_qlinear_reduce_mean(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "data_scale");
    require_usable_scale(ctx, 3, "reduced_scale");
    set_reduced_shape(ctx, ctx.node().ints_attribute("axes"));
}

void infer_arg_reduce(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size());
    SymbolicShape result = *shape;
    if (ctx.node().int_attribute("keepdims", 1) != 0) result[axis] = 1;
    else result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis));
    ctx.set_output_shape(0, std::move(result));
}

/// Softmax, LogSoftmax, Hardmax. Below opset 13 the axis splits the shape in two (default 1) and
/// may equal the rank.
void infer_softmax(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    const std::int64_t axis = ctx.node().int_attribute("axis", ctx.version() < 13 ? 1 : -1);
    const auto rank = static_cast<std::int64_t>(shape->size());
    const bool splits_at_end = ctx.version() < 13 && axis == rank;
    if (rank > 0 && !splits_at_end) checked_axis(ctx, axis, shape->size());
    ctx.set_output_shape(0, *shape);
}

/// Operators whose `axis` attribute must name an axis of input 0 and that keep the shape.
void infer_along_axis(InferenceContext& ctx) {
    if (const InputShape* shape = ctx.input_shape(0))
        checked_axis(ctx, ctx.node().int_attribute("axis", -1), shape->size());
    infer_same_shape(ctx);
}

void infer_lp_normalization(InferenceContext& ctx) {
    const std::int64_t p = ctx.node().int_attribute("p", 2);
    if (p != 1 && p != 2) ctx.fail(fmt::format("attribute p must be 1 or 2, found {}", p));
    infer_along_axis(ctx);
}

void infer_cumulative_sum(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    require_scalar(ctx, 1, "axis");
    const auto axis = ctx.constant_ints(1);
    if (shape && axis && axis->size() == 1) checked_axis(ctx, (*axis)[0], shape->size());
    infer_same_shape(ctx);
}

void infer_top_k(InferenceContext& ctx) {
    Dim k;
    if (ctx.version() < 10) {
        const std::int64_t given = ctx.node().int_attribute("k", 0);
        if (given < 0) ctx.fail(fmt::format("k must not be negative, found {}", given));
        k = given;
    } else {
        const InputShape* count = ctx.input_shape(1);
        if (count && surely_different(product(*count), 1))
            ctx.fail("K must hold one number, found shape " + to_string(*count));
        if (const auto values = ctx.elements(1); values && values->size() == 1) {
            const auto number = constant_of((*values)[0]);
            if (number && *number < 0)
                ctx.fail(fmt::format("k must not be negative, found {}", *number));
            if (number || surely_not_negative((*values)[0])) k = (*values)[0];
        }
    }
    const InputShape* shape = shape_of_least_rank(ctx, 0, 1, "X");
    if (!shape) return;
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", -1), shape->size());
    if (k.is_known() && (*shape)[axis].is_known() && k.value() > (*shape)[axis].value()) {
        ctx.fail(fmt::format("k is {}, but axis {} has only {} elements", k.value(), axis,
                             (*shape)[axis].value()));
    }
    SymbolicShape result = *shape;
    result[axis] = k.is_unknown() ? ctx.fresh_dim("topk") : k;
    ctx.set_output_shape(0, result);
    ctx.set_output_shape(1, std::move(result));
}

}  // namespace lapidary
