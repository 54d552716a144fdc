// SPDX-License-Identifier: Apache-2.0
// Attention and RotaryEmbedding (23), LinearAttention and CausalConvWithState (27) of the ONNX
// domain.
#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// [batch, heads, sequence, size] of Q, K or V given in four dimensions or three.
std::optional<SymbolicShape> heads_apart(const InferenceContext& ctx, std::size_t input,
                                         std::string_view name, std::int64_t heads) {
    const InputShape* shape = ctx.input_shape(input);
    if (!shape) return std::nullopt;
    if (shape->size() == 4) return *shape;
    if (shape->size() != 3)
        ctx.fail(fmt::format("{} must have rank 3 or 4, found rank {}", name, shape->size()));
    if (heads <= 0)
        ctx.fail(
            fmt::format("{} of rank 3 needs a positive number of heads, found {}", name, heads));
    const Dim& hidden = (*shape)[2];
    if (hidden.is_known() && hidden.value() % heads != 0)
        ctx.fail(fmt::format("the {} features of {} do not divide into {} heads", hidden.value(),
                             name, heads));
    return SymbolicShape{(*shape)[0], heads, (*shape)[1], floor_divide(hidden, heads)};
}

/// The size of one head of `heads` in the last of three dimensions.
Dim head_size(const InferenceContext& ctx, const InputShape& shape, std::int64_t heads,
              std::string_view name) {
    if (shape[2].is_known() && shape[2].value() % heads != 0)
        ctx.fail(fmt::format("the {} features of {} do not divide into {} heads", shape[2].value(),
                             name, heads));
    return floor_divide(shape[2], heads);
}

/// The state output has the element type of the state input, or of the input where there is none.
void bind_state_type(InferenceContext& ctx) {
    if (ctx.output_count() > 1 && ctx.output_type(1).dtype == DType::undefined)
        set_dtype(ctx, 1, ctx.input_type(0).dtype);
}

}  // namespace

void infer_attention(InferenceContext& ctx) {
    const std::int64_t query_heads = ctx.node().int_attribute("q_num_heads", 0),
                       key_heads = ctx.node().int_attribute("kv_num_heads", 0);
    const auto q = heads_apart(ctx, 0, "Q", query_heads), k = heads_apart(ctx, 1, "K", key_heads),
               v = heads_apart(ctx, 2, "V", key_heads);
    const InputShape* given = ctx.input_shape(0);
    if (q && k) {
        same_dim(ctx, (*q)[0], (*k)[0], "batches of Q and K");
        same_dim(ctx, (*q)[3], (*k)[3], "head sizes of Q and K");
        if ((*q)[1].is_known() && (*k)[1].is_known() &&
            ((*k)[1].value() == 0 || (*q)[1].value() % (*k)[1].value() != 0)) {
            ctx.fail(fmt::format("{} query heads are no multiple of {} key heads", (*q)[1].value(),
                                 (*k)[1].value()));
        }
    }
    if (k && v) {
        same_dim(ctx, (*k)[1], (*v)[1], "heads of K and V");
        same_dim(ctx, (*k)[2], (*v)[2], "sequence lengths of K and V");
    }
    const InputShape* past = ctx.has_input(4) ? shape_of_rank(ctx, 4, 4, "past_key") : nullptr;
    Dim total = k ? (*k)[2] : Dim();
    if (ctx.has_input(4)) total = past ? add(total, (*past)[2]) : Dim();
    if (q && v && given->size() == 4) ctx.set_output_shape(0, {(*q)[0], (*q)[1], (*q)[2], (*v)[3]});
    else if (q && v) ctx.set_output_shape(0, {(*q)[0], (*q)[2], multiply((*q)[1], (*v)[3])});
    if (k) ctx.set_output_shape(1, {(*k)[0], (*k)[1], total, (*k)[3]});
    if (v) ctx.set_output_shape(2, {(*v)[0], (*v)[1], total, (*v)[3]});
    if (q) ctx.set_output_shape(3, {(*q)[0], (*q)[1], (*q)[2], total});
}

void infer_rotary_embedding(InferenceContext& ctx) {
    const InputShape* x = shape_of_least_rank(ctx, 0, 3, "X");
    if (x && x->size() > 4)
        ctx.fail(fmt::format("X must have rank 3 or 4, found rank {}", x->size()));
    if (x && x->size() == 3 && ctx.version() >= 23) positive_attribute(ctx, "num_heads", 0);
    infer_same_shape(ctx);
}

void infer_linear_attention(InferenceContext& ctx) {
    const std::int64_t query_heads = positive_attribute(ctx, "q_num_heads", 0),
                       heads = positive_attribute(ctx, "kv_num_heads", 0);
    if (query_heads % heads != 0)
        ctx.fail(fmt::format("{} query heads are no multiple of {} key heads", query_heads, heads));
    word_attribute(ctx, "update_rule", "gated_delta", {"linear", "gated", "delta", "gated_delta"});
    bind_state_type(ctx);
    const InputShape *q = shape_of_rank(ctx, 0, 3, "query"), *k = shape_of_rank(ctx, 1, 3, "key"),
                     *v = shape_of_rank(ctx, 2, 3, "value");
    if (q && k) {
        same_dim(ctx, (*q)[0], (*k)[0], "batches of query and key");
        same_dim(ctx, (*q)[1], (*k)[1], "lengths of query and key");
        same_dim(ctx, head_size(ctx, *q, query_heads, "query"), head_size(ctx, *k, heads, "key"),
                 "head sizes of query and key");
    }
    if (!q || !v) return;
    const Dim value_size = head_size(ctx, *v, heads, "value");
    ctx.set_output_shape(0, {(*q)[0], (*q)[1], multiply(value_size, query_heads)});
    ctx.set_output_shape(1, {(*q)[0], heads, head_size(ctx, *q, query_heads, "query"), value_size});
}

void infer_causal_conv_with_state(InferenceContext& ctx) {
    word_attribute(ctx, "activation", "none", {"none", "silu", "swish"});
    bind_state_type(ctx);
    const InputShape *x = shape_of_rank(ctx, 0, 3, "input"),
                     *w = shape_of_rank(ctx, 1, 3, "weight");
    if (!x) return;
    ctx.set_output_shape(0, *x);
    if (!w) return;
    same_dim(ctx, (*x)[1], (*w)[0], "channels of input and weight");
    same_dim(ctx, (*w)[1], 1, "channels per group of the weight");
    if ((*w)[2].is_known() && (*w)[2].value() < 1) ctx.fail("the weight has no taps");
    ctx.set_output_shape(1, {(*x)[0], (*x)[1], subtract((*w)[2], 1)});
}

}  // namespace lapidary
