// SPDX-License-Identifier: Apache-2.0
// Operators on single elements: one input, broadcasting ones, casts.
#include "ops/rules/rule_checks.h"

namespace lapidary {

void infer_broadcast(InferenceContext& ctx) {
    SymbolicShape result;
    for (std::size_t i = 0; i < ctx.input_count(); ++i) {
        const InputShape* shape = ctx.input_shape(i);
        if (!shape) return;
        result = broadcast(ctx, result, *shape);
    }
    ctx.set_output_shape(0, std::move(result));
}

void infer_mod(InferenceContext& ctx) {
    if (is_float(ctx.input_type(0).dtype) && ctx.node().int_attribute("fmod", 0) == 0) ctx.fail("floating-point Mod needs fmod = 1");
    infer_broadcast(ctx);
}

void infer_bit_shift(InferenceContext& ctx) {
    word_attribute(ctx, "direction", "", {"LEFT", "RIGHT"});
    infer_broadcast(ctx);
}

void infer_gelu(InferenceContext& ctx) {
    word_attribute(ctx, "approximate", "none", {"none", "tanh"});
    infer_same_shape(ctx);
}

void infer_cast(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "to", DType::undefined));
    infer_same_shape(ctx);
}

void infer_cast_like(InferenceContext& ctx) {
    if (ctx.input_type(1).dtype != DType::undefined) set_dtype(ctx, 0, ctx.input_type(1).dtype);
    infer_same_shape(ctx);
}

/// The slope broadcasts to X and never widens it.
void infer_prelu(InferenceContext& ctx) {
    const InputShape *x = ctx.input_shape(0), *slope = ctx.input_shape(1);
    if (!x) return;
    if (slope) {
        const SymbolicShape both = broadcast(ctx, *x, *slope);
        bool widened = both.size() != x->size();
        for (std::size_t i = 0; i < x->size() && !widened; ++i) widened = surely_different(both[i], (*x)[i]);
        if (widened) ctx.fail("slope of shape " + to_string(*slope) + " does not broadcast to X of shape " + to_string(*x));
    }
    ctx.set_output_shape(0, *x);
}

void infer_clip(InferenceContext& ctx) {
    for (std::size_t i = 1; i < ctx.input_count(); ++i) require_scalar(ctx, i, i == 1 ? "min" : "max");
    infer_same_shape(ctx);
}

void infer_dropout(InferenceContext& ctx) {
    for (std::size_t i = 1; i < ctx.input_count(); ++i) require_scalar(ctx, i, i == 1 ? "ratio" : "training_mode");
    copy_shape(ctx, 0, 0);
    copy_shape(ctx, 0, 1);
    if (ctx.version() < 10 && ctx.output_count() > 1) set_dtype(ctx, 1, ctx.input_type(0).dtype);
}

void infer_identity(InferenceContext& ctx) { copy_type(ctx, 0, 0); }

void infer_bernoulli(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "dtype", ctx.input_type(0).dtype));
    infer_same_shape(ctx);
}

/// Without stop words the shape stays; with them rows of a [C] or [1,C] tensor may go.
void infer_string_normalizer(InferenceContext& ctx) {
    word_attribute(ctx, "case_change_action", "NONE", {"NONE", "LOWER", "UPPER"});
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    if (shape->empty() || shape->size() > 2 || (shape->size() == 2 && surely_different((*shape)[0], 1))) {
        ctx.fail("X must be of shape [C] or [1,C], found " + to_string(*shape));
    }
    SymbolicShape result = *shape;
    if (!ctx.node().strings_attribute("stopwords").empty()) result.back() = ctx.fresh_dim("kept_strings");
    ctx.set_output_shape(0, std::move(result));
}

void infer_string_split(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return;
    ctx.set_output_shape(1, *shape);
    SymbolicShape pieces = *shape;
    pieces.push_back(ctx.fresh_dim("substrings"));
    ctx.set_output_shape(0, std::move(pieces));
}

}  // namespace lapidary
