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
    if (ctx.version() < 28 && is_float(ctx.input_type(0).dtype) &&
        ctx.node().int_attribute("fmod", 0) == 0)
        ctx.fail("floating-point Mod needs fmod = 1");
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

void infer_bit_cast(InferenceContext& ctx) {
    const DType from = ctx.input_type(0).dtype, to = dtype_attribute(ctx, "to", DType::undefined);
    if (to == DType::string) ctx.fail("attribute to: the bits of strings cannot be taken");
    if (from != DType::undefined && bit_width(from) != bit_width(to)) {
        ctx.fail("attribute to: expected a type of " + std::to_string(bit_width(from)) +
                 " bits as " + std::string(name_of(from)) + " has, found " +
                 std::string(name_of(to)));
    }
    set_dtype(ctx, 0, to);
    infer_same_shape(ctx);
}

void infer_swiglu(InferenceContext& ctx) {
    const InputShape *gate = ctx.input_shape(0), *linear = ctx.input_shape(1);
    if (gate && linear) {
        bool fits = gate->size() == linear->size();
        for (std::size_t i = 0; i < gate->size() && fits; ++i)
            fits = !surely_different((*gate)[i], (*linear)[i]);
        if (!fits)
            ctx.fail("A and B must have one shape, found " + to_string(*gate) + " and " +
                     to_string(*linear));
    }
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
        for (std::size_t i = 0; i < x->size() && !widened; ++i)
            widened = surely_different(both[i], (*x)[i]);
        if (widened)
            ctx.fail("slope of shape " + to_string(*slope) + " does not broadcast to X of shape " +
                     to_string(*x));
    }
    ctx.set_output_shape(0, *x);
}

void infer_clip(InferenceContext& ctx) {
    for (std::size_t i = 1; i < ctx.input_count(); ++i)
        require_scalar(ctx, i, i == 1 ? "min" : "max");
    infer_same_shape(ctx);
}

void infer_dropout(InferenceContext& ctx) {
    for (std::size_t i = 1; i < ctx.input_count(); ++i)
        require_scalar(ctx, i, i == 1 ? "ratio" : "training_mode");
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
    if (shape->empty() || shape->size() > 2 ||
        (shape->size() == 2 && surely_different((*shape)[0], 1))) {
        ctx.fail("X must be of shape [C] or [1,C], found " + to_string(*shape));
    }
    SymbolicShape result = *shape;
    if (!ctx.node().strings_attribute("stopwords").empty())
        result.back() = ctx.fresh_dim("kept_strings");
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
