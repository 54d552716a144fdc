// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear, also the com.microsoft forms.
#include <cmath>

#include <fmt/format.h>

#include "ops/rules/quantization_checks.h"

namespace lapidary {

void require_usable_scale(const InferenceContext& ctx, std::size_t input, std::string_view name,
                          bool zero_allowed) {
    constexpr std::int64_t most_read = 1 << 16;
    const KnownValue& value = ctx.input_value(input);
    if (!value.tensor || value.tensor->size() > most_read || !is_float(value.tensor->dtype()))
        return;
    std::size_t i = 0;
    for (double scale : to_doubles(*value.tensor)) {
        if (!(zero_allowed ? scale >= 0 : scale > 0) || !std::isfinite(scale)) {
            ctx.fail(fmt::format("{} must be {} and finite, found {} at element {}", name,
                                 zero_allowed ? "0 or more" : "positive", scale, i));
        }
        ++i;
    }
}

void require_same_shape(const InferenceContext& ctx, std::size_t scale, std::size_t zero_point) {
    const InputShape *a = ctx.input_shape(scale), *b = ctx.input_shape(zero_point);
    if (!a || !b) return;
    // A scalar and a list of one are the same thing to exporters.
    if (surely_different(product(*a), product(*b))) {
        ctx.fail(fmt::format("scale and zero point must have one shape, found {} and {}",
                             to_string(*a), to_string(*b)));
    }
}

namespace {

/// Per tensor, per axis, or per block of an axis.
void check_scale_shape(InferenceContext& ctx, bool zero_allowed) {
    require_usable_scale(ctx, 1, "scale", zero_allowed);
    if (ctx.has_input(2)) require_same_shape(ctx, 1, 2);
    const InputShape *x = ctx.input_shape(0), *scale = ctx.input_shape(1);
    if (!x || !scale || scale->empty() || (scale->size() == 1 && (*scale)[0] == Dim(1))) return;
    const std::int64_t block = ctx.node().int_attribute("block_size", 0);
    if (block < 0)
        ctx.fail(fmt::format("attribute block_size must not be negative, found {}", block));
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 1), x->size());
    if (block == 0) {
        if (scale->size() != 1)
            ctx.fail(
                fmt::format("scale must be a number or a list, found shape {}", to_string(*scale)));
        same_dim(ctx, (*x)[axis], (*scale)[0],
                 fmt::format("scale must have one element for each of axis {}", axis));
        return;
    }
    if (scale->size() != x->size())
        ctx.fail(fmt::format("a blocked scale must have the rank of the data, found {} and {}",
                             scale->size(), x->size()));
    for (std::size_t i = 0; i < x->size(); ++i) {
        const Dim expected = i == axis ? ceil_divide((*x)[i], block) : (*x)[i];
        same_dim(ctx, expected, (*scale)[i], fmt::format("blocked scale, axis {}", i));
    }
}

/// Undefined where the attribute is not given, or given as its default of 0 (ai.onnx 21 and later).
DType asked_dtype(const InferenceContext& ctx) {
    if (ctx.node().int_attribute("output_dtype", 0) == 0) return DType::undefined;
    return dtype_attribute(ctx, "output_dtype", DType::undefined);
}

}  // namespace

void infer_quantize_linear(InferenceContext& ctx) {
    check_scale_shape(ctx, false);
    const DType asked = asked_dtype(ctx);
    const DType zero_point = ctx.input_type(2).dtype;
    if (asked != DType::undefined && zero_point != DType::undefined && asked != zero_point) {
        ctx.fail(fmt::format("output_dtype {} does not agree with the zero point of type {}",
                             name_of(asked), name_of(zero_point)));
    }
    set_dtype(ctx, 0,
              zero_point != DType::undefined ? zero_point
              : asked != DType::undefined    ? asked
                                             : DType::u8);
    infer_same_shape(ctx);
}

void infer_dequantize_linear(InferenceContext& ctx) {
    check_scale_shape(ctx, true);
    const DType x = ctx.input_type(0).dtype, zero_point = ctx.input_type(2).dtype;
    if (ctx.has_input(2) && x != DType::undefined && zero_point != DType::undefined &&
        x != zero_point) {
        ctx.fail(fmt::format("x is {}, its zero point {}: they must have one type", name_of(x),
                             name_of(zero_point)));
    }
    const DType asked = asked_dtype(ctx);
    if (asked != DType::undefined) set_dtype(ctx, 0, asked);
    else if (ctx.version() >= 19 || !ctx.node().domain.empty())
        set_dtype(ctx, 0, ctx.input_type(1).dtype);
    else set_dtype(ctx, 0, DType::f32);
    infer_same_shape(ctx);
}

void infer_dynamic_quantize_linear(InferenceContext& ctx) {
    copy_shape(ctx, 0, 0);
    ctx.set_output_shape(1, {});
    ctx.set_output_shape(2, {});
}

}  // namespace lapidary
