// SPDX-License-Identifier: Apache-2.0
// com.microsoft: integer and quantized operators.
#include <fmt/format.h>

#include "ops/rules/matrix_shapes.h"
#include "ops/rules/quantization_checks.h"
#include "ops/rules/recurrent_shapes.h"
#include "ops/rules/window_shapes.h"

namespace lapidary {

/// QLinearAdd and QLinearMul: (A, scale, zero point), (B, scale, zero point), scale, zero point.
void infer_qlinear_binary(InferenceContext& ctx) {
    for (const auto& [input, name] :
         {std::pair<std::size_t, const char*>{1, "A_scale"}, {4, "B_scale"}, {6, "C_scale"}})
        require_usable_scale(ctx, input, name);
    const InputShape *a = ctx.input_shape(0), *b = ctx.input_shape(3);
    if (a && b) ctx.set_output_shape(0, broadcast(ctx, *a, *b));
}

void infer_qlinear_where(InferenceContext& ctx) {
    const InputShape *condition = ctx.input_shape(0), *x = ctx.input_shape(1),
                     *y = ctx.input_shape(4);
    if (condition && x && y)
        ctx.set_output_shape(0, broadcast(ctx, broadcast(ctx, *condition, *x), *y));
}

/// QLinearLeakyRelu, QLinearSigmoid, QLinearSoftmax.
void infer_qlinear_unary(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "X_scale");
    require_usable_scale(ctx, 3, "Y_scale");
    const InputShape* shape = ctx.input_shape(0);
    if (shape && ctx.node().has_attribute("axis") && !shape->empty())
        checked_axis(ctx, ctx.node().int_attribute("axis", -1), shape->size());
    infer_same_shape(ctx);
}

/// Scale and zero point of the output, then one triple per input.
void infer_qlinear_concat(InferenceContext& ctx) {
    if (ctx.input_count() < 5 || (ctx.input_count() - 2) % 3 != 0)
        ctx.fail(fmt::format("takes 2 + 3 for each tensor inputs, found {}", ctx.input_count()));
    require_usable_scale(ctx, 0, "Y_scale");
    std::optional<SymbolicShape> result;
    std::size_t axis = 0;
    for (std::size_t i = 2; i < ctx.input_count(); i += 3) {
        require_usable_scale(ctx, i + 1, fmt::format("the scale of tensor {}", (i - 2) / 3));
        const InputShape* shape = ctx.input_shape(i);
        if (!shape) return;
        if (!result) {
            axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size());
            result = *shape;
            continue;
        }
        if (shape->size() != result->size())
            ctx.fail(fmt::format("tensors of rank {} and {} cannot be concatenated", result->size(),
                                 shape->size()));
        for (std::size_t k = 0; k < shape->size(); ++k) {
            (*result)[k] = k == axis ? add((*result)[k], (*shape)[k])
                                     : same_dim(ctx, (*result)[k], (*shape)[k],
                                                fmt::format("axis {}: sizes must agree", k));
        }
    }
    if (result) ctx.set_output_shape(0, std::move(*result));
}

void infer_qlinear_pool(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "x_scale");
    require_usable_scale(ctx, 3, "y_scale");
    infer_pool_on(ctx, 0, ctx.node().int_attribute("channels_last", 0) != 0);
}

void infer_qlinear_global_pool(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "x_scale");
    require_usable_scale(ctx, 3, "y_scale");
    infer_global_pool_on(ctx, 0, ctx.node().int_attribute("channels_last", 0) != 0);
}

/// QGemm: A, a_scale, a_zero_point, B, b_scale, b_zero_point, C, y_scale, y_zero_point.
void infer_qgemm(InferenceContext& ctx) {
    require_usable_scale(ctx, 1, "a_scale");
    require_usable_scale(ctx, 4, "b_scale");
    const InputShape *a = shape_of_rank(ctx, 0, 2, "A"), *b = shape_of_rank(ctx, 3, 2, "B");
    const bool flip_a = ctx.node().int_attribute("transA", 0) != 0,
               flip_b = ctx.node().int_attribute("transB", 0) != 0;
    if (a && b)
        same_dim(ctx, (*a)[flip_a ? 0 : 1], (*b)[flip_b ? 1 : 0],
                 "inner dimensions of A and B must agree");
    set_dtype(ctx, 0, ctx.has_input(8) ? ctx.input_type(8).dtype : DType::f32);
    ctx.set_output_shape(0, {a ? (*a)[flip_a ? 1 : 0] : Dim(), b ? (*b)[flip_b ? 0 : 1] : Dim()});
}

void infer_dynamic_quantize_lstm(InferenceContext& ctx) { infer_recurrent_network(ctx, 4, true); }

/// DynamicQuantizeMatMul and MatMulIntegerToFloat: the scales come after A and B.
void infer_quantized_matmul(InferenceContext& ctx) {
    const bool dynamic = ctx.node().op_type == "DynamicQuantizeMatMul";
    require_usable_scale(ctx, 2, dynamic ? "b_scale" : "a_scale");
    if (!dynamic) require_usable_scale(ctx, 3, "b_scale");
    infer_product_of(ctx, 0, 1);
}

void infer_gather_block_quantized(InferenceContext& ctx) {
    const InputShape *data = shape_of_least_rank(ctx, 0, 1, "data"), *indices = ctx.input_shape(1);
    if (!data) return;
    const std::size_t axis =
        checked_axis(ctx, ctx.node().int_attribute("gather_axis", 0), data->size());
    checked_axis(ctx, ctx.node().int_attribute("quantize_axis", 1), data->size());
    if (!indices) return;
    SymbolicShape unpacked = *data;
    const std::int64_t bits = ctx.node().int_attribute("bits", 4);
    if (bits < 1 || bits > 8)
        ctx.fail(fmt::format("attribute bits must be 1 to 8, found {}", bits));
    if (ctx.input_type(0).dtype == DType::u8) unpacked.back() = multiply(unpacked.back(), 8 / bits);
    SymbolicShape result(unpacked.begin(), unpacked.begin() + static_cast<std::ptrdiff_t>(axis));
    result.insert(result.end(), indices->begin(), indices->end());
    result.insert(result.end(), unpacked.begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                  unpacked.end());
    ctx.set_output_shape(0, std::move(result));
}

void infer_mul_integer(InferenceContext& ctx) {
    const InputShape *a = ctx.input_shape(0), *b = ctx.input_shape(2);
    if (a && b) ctx.set_output_shape(0, broadcast(ctx, *a, *b));
}

}  // namespace lapidary
