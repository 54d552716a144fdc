// SPDX-License-Identifier: Apache-2.0
// com.microsoft: attention, embeddings, layer normalizations, rotary embedding, generation.
#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// Output 0 [batch, sequence, values], output 1 packed present [2, batch, heads, total, head size].
void self_attention(InferenceContext& ctx, std::size_t weights, std::size_t past_input) {
    const std::int64_t heads = positive_attribute(ctx, "num_heads", 0);
    const InputShape *x = shape_of_rank(ctx, 0, 3, "input"),
                     *w = shape_of_rank(ctx, weights, 2, "weights");
    if (x && w) same_dim(ctx, (*x)[2], (*w)[0], "features of input and rows of weights");
    const Ints sizes = ctx.node().ints_attribute("qkv_hidden_sizes");
    Dim values = w ? floor_divide((*w)[1], 3) : Dim();
    if (!sizes.empty()) {
        if (sizes.size() != 3)
            ctx.fail(fmt::format("attribute qkv_hidden_sizes must have 3 entries, found {}",
                                 sizes.size()));
        Dim sum = 0;
        for (std::int64_t size : sizes) {
            if (w && (*w)[1].is_known() && size > (*w)[1].value())
                ctx.fail(fmt::format("the hidden size {} is more than the {} columns of weights",
                                     size, (*w)[1].value()));
            if (size < 0 || size % heads != 0)
                ctx.fail(
                    fmt::format("the hidden size {} does not divide into {} heads", size, heads));
            sum = add(sum, size);
        }
        if (w) same_dim(ctx, (*w)[1], sum, "columns of weights and qkv_hidden_sizes");
        values = sizes[2];
    } else if (w && (*w)[1].is_known() &&
               ((*w)[1].value() % 3 != 0 || (*w)[1].value() / 3 % heads != 0)) {
        ctx.fail(fmt::format("{} columns of weights do not divide into 3 times {} heads",
                             (*w)[1].value(), heads));
    }
    if (x) ctx.set_output_shape(0, {(*x)[0], (*x)[1], values});
    const bool has_past = ctx.has_input(past_input);
    const InputShape* past = has_past ? shape_of_rank(ctx, past_input, 5, "past") : nullptr;
    if (!x) return;
    const Dim head_size = floor_divide(sizes.empty() ? values : Dim(sizes[1]), heads);
    Dim total = (*x)[1];
    if (has_past) total = past ? add(total, (*past)[3]) : Dim();
    if (ctx.node().int_attribute("past_present_share_buffer", 0) != 0)
        total = past ? (*past)[3] : Dim();
    ctx.set_output_shape(1, {2, (*x)[0], heads, total, head_size});
}

/// [.., last] with the last dimension replaced.
SymbolicShape with_last(SymbolicShape shape, Dim last) {
    shape.back() = std::move(last);
    return shape;
}

void check_last(const InferenceContext& ctx, std::size_t input, const Dim& size,
                std::string_view name) {
    if (!ctx.has_input(input)) return;
    if (const InputShape* shape = shape_of_rank(ctx, input, 1, name))
        same_dim(ctx, (*shape)[0], size, fmt::format("{} must have one element per feature", name));
}

}  // namespace

void infer_ms_attention(InferenceContext& ctx) { self_attention(ctx, 1, 4); }

void infer_q_attention(InferenceContext& ctx) {
    self_attention(ctx, 1, 8);
    for (std::size_t i = 0; i < ctx.output_count(); ++i) {
        if (ctx.output_type(i).dtype == DType::undefined)
            set_dtype(ctx, i, ctx.input_type(3).dtype);
    }
}

void infer_packed_attention(InferenceContext& ctx) {
    const InputShape *x = shape_of_rank(ctx, 0, 2, "input"),
                     *w = shape_of_rank(ctx, 1, 2, "weights");
    const Ints sizes = ctx.node().ints_attribute("qkv_hidden_sizes");
    if (x && w)
        ctx.set_output_shape(
            0, {(*x)[0],
                sizes.size() == 3 && sizes[2] >= 0 ? Dim(sizes[2]) : floor_divide((*w)[1], 3)});
}

void infer_multi_head_attention(InferenceContext& ctx) {
    const std::int64_t heads = positive_attribute(ctx, "num_heads", 0);
    const bool decoder = ctx.node().op_type == "DecoderMaskedMultiHeadAttention";
    const InputShape *q = shape_of_least_rank(ctx, 0, 3, "query"), *k = ctx.input_shape(1),
                     *v = ctx.input_shape(2);
    const std::size_t past_input = decoder ? 5 : 6;
    if (!q) return;
    const Dim batch = (*q)[0], sequence = (*q)[1];
    Dim head_size, value_size, key_length;
    if (q->size() == 5) {  // packed QKV [batch, sequence, heads, 3, size]
        head_size = value_size = (*q)[4];
        key_length = sequence;
        same_dim(ctx, (*q)[2], heads, "heads of the packed query");
        same_dim(ctx, (*q)[3], 3, "parts of the packed query");
        ctx.set_output_shape(0, {batch, sequence, multiply(heads, value_size)});
    } else if (q->size() == 3) {
        if ((*q)[2].is_known() && (*q)[2].value() % heads != 0)
            ctx.fail(
                fmt::format("{} features do not divide into {} heads", (*q)[2].value(), heads));
        head_size = floor_divide((*q)[2], heads);
        if (!ctx.has_input(1)) {  // packed QKV with the parts one after the other
            value_size = head_size;
            key_length = sequence;
            ctx.set_output_shape(0, *q);
        } else if (k && k->size() == 5) {
            value_size = (*k)[4];
            key_length = (*k)[1];
            ctx.set_output_shape(0, {batch, sequence, multiply(heads, value_size)});
        } else if (k) {
            key_length = (*k)[k->size() == 4 ? 2 : 1];
            if (v && v->size() == 4) value_size = (*v)[3];
            else if (v && v->size() == 3) value_size = floor_divide((*v)[2], heads);
            ctx.set_output_shape(0, {batch, sequence, multiply(heads, value_size)});
        }
    } else {
        ctx.fail(fmt::format("query must have rank 3 or 5, found {}", q->size()));
    }
    const InputShape* past =
        ctx.has_input(past_input) ? shape_of_rank(ctx, past_input, 4, "past_key") : nullptr;
    Dim total = key_length;
    const bool cross = k && k->size() == 4;
    if (ctx.has_input(past_input) && !cross) total = past ? add(total, (*past)[2]) : Dim();
    // the caches share one buffer
    if (ctx.has_input(past_input + 2)) total = past ? (*past)[2] : Dim();
    ctx.set_output_shape(1, {batch, heads, total, head_size});
    ctx.set_output_shape(2, {batch, heads, total, value_size});
    ctx.set_output_shape(3, {batch, heads, sequence, total});
}

void infer_group_query_attention(InferenceContext& ctx) {
    const std::int64_t heads = positive_attribute(ctx, "num_heads", 0),
                       key_heads = positive_attribute(ctx, "kv_num_heads", 0);
    if (heads % key_heads != 0)
        ctx.fail(fmt::format("num_heads {} is no multiple of kv_num_heads {}", heads, key_heads));
    const InputShape* q = shape_of_rank(ctx, 0, 3, "query");
    if (!q) return;
    const bool packed = !ctx.has_input(1);
    const Dim parts = packed ? add(heads, multiply(2, key_heads)) : Dim(heads);
    const Dim& features = (*q)[2];
    if (features.is_known() && parts.is_known() && features.value() % parts.value() != 0) {
        ctx.fail(fmt::format("{} features do not divide into {} heads", features.value(),
                             parts.value()));
    }
    const Dim head_size = floor_divide(features, parts);
    ctx.set_output_shape(0, {(*q)[0], (*q)[1], multiply(heads, head_size)});
    // With a past the present is as long as the cache when they share a buffer, else past + new: a
    // run decides.
    const Dim total = ctx.has_input(3) ? Dim() : (*q)[1];
    // A cache of 4 bits has two channels in a byte; one of scaled bytes a float behind each row.
    const bool has_scales = ctx.has_input(3) && ctx.input_type(3).dtype == DType::i8 &&
                            ctx.node().string_attribute("k_quant_type", "NONE") == "NONE";
    const Dim stored = ctx.node().int_attribute("kv_cache_bit_width", 0) == 4
                           ? floor_divide(add(head_size, 1), 2)
                       : has_scales ? add(head_size, 4)
                                    : head_size;
    ctx.set_output_shape(1, {(*q)[0], key_heads, total, stored});
    ctx.set_output_shape(2, {(*q)[0], key_heads, total, stored});
    for (std::size_t i = 1; i < 3; ++i) {
        if (ctx.output_type(i).dtype == DType::undefined && i < ctx.output_count())
            set_dtype(ctx, i, ctx.input_type(0).dtype);
    }
}

/// Past and present are one buffer.
void infer_sparse_attention(InferenceContext& ctx) {
    infer_group_query_attention(ctx);
    for (std::size_t i = 1; i < 3; ++i)
        if (const InputShape* past =
                shape_of_rank(ctx, i + 2, 4, i == 1 ? "past_key" : "past_value"))
            ctx.set_output_shape(i, *past);
}

void infer_embed_layer_normalization(InferenceContext& ctx) {
    const InputShape *ids = shape_of_rank(ctx, 0, 2, "input_ids"),
                     *words = shape_of_rank(ctx, 2, 2, "word_embedding");
    const bool quantized = ctx.node().op_type == "QEmbedLayerNormalization";
    const Dim hidden = words ? (*words)[1] : Dim();
    if (!quantized) {
        const InputShape* positions = shape_of_rank(ctx, 3, 2, "position_embedding");
        if (positions)
            same_dim(ctx, (*positions)[1], hidden,
                     "columns of word_embedding and position_embedding");
        check_last(ctx, 5, hidden, "gamma");
        check_last(ctx, 6, hidden, "beta");
    }
    const Dim batch = ids ? (*ids)[0] : Dim(), sequence = ids ? (*ids)[1] : Dim();
    ctx.set_output_shape(0, {batch, sequence, hidden});
    ctx.set_output_shape(1, {batch});
    ctx.set_output_shape(2, {batch, sequence, hidden});
    if (ctx.output_count() > 1) set_dtype(ctx, 1, DType::i32);
}

/// SkipLayerNormalization and SkipSimplifiedLayerNormalization.
void infer_skip_layer_normalization(InferenceContext& ctx) {
    const bool simplified = ctx.node().op_type == "SkipSimplifiedLayerNormalization";
    const InputShape* x = shape_of_least_rank(ctx, 0, 2, "input");
    if (!x) return;
    if (const InputShape* skip = ctx.input_shape(1)) {
        const SymbolicShape both = broadcast(ctx, *x, *skip);
        for (std::size_t i = 0; i < both.size(); ++i) {
            if (both.size() != x->size() || surely_different(both[i], (*x)[i])) {
                ctx.fail(fmt::format("skip of shape {} does not fit input of shape {}",
                                     to_string(*skip), to_string(*x)));
            }
        }
    }
    check_last(ctx, 2, x->back(), "gamma");
    check_last(ctx, 3, x->back(), simplified ? "bias" : "beta");
    if (!simplified) check_last(ctx, 4, x->back(), "bias");
    ctx.set_output_shape(0, *x);
    for (std::size_t i = 1; i < 3; ++i) {
        if (i < ctx.output_count() && ctx.output_type(i).dtype == DType::undefined)
            set_dtype(ctx, i, DType::f32);
        ctx.set_output_shape(i, with_last(*x, 1));
    }
    ctx.set_output_shape(3, *x);
}

/// Gelu, FastGelu, BiasGelu and their kin: an optional bias along the last axis.
void infer_bias_activation(InferenceContext& ctx) {
    const InputShape* x = ctx.input_shape(0);
    if (x && !x->empty()) check_last(ctx, 1, x->back(), "bias");
    infer_same_shape(ctx);
}

void infer_bias_dropout(InferenceContext& ctx) {
    copy_shape(ctx, 0, 0);
    if (ctx.node().op_type == "BiasDropout") return copy_shape(ctx, 0, 1);
    if (const InputShape* x = ctx.input_shape(0))
        ctx.set_output_shape(1, {ceil_divide(product(*x), 32)});
}

/// X, positions, cos_cache, sin_cache. The caches have a column for two rotated elements.
void infer_ms_rotary_embedding(InferenceContext& ctx) {
    const InputShape* x = shape_of_least_rank(ctx, 0, 3, "input");
    if (x && x->size() > 4)
        ctx.fail(fmt::format("input must have rank 3 or 4, found rank {}", x->size()));
    const std::int64_t rotated = ctx.node().int_attribute("rotary_embedding_dim", 0),
                       heads = ctx.node().int_attribute("num_heads", 0);
    if (rotated < 0 || rotated % 2 != 0)
        ctx.fail(fmt::format(
            "attribute rotary_embedding_dim must be even and not negative, found {}", rotated));
    const Dim size = !x               ? Dim()
                     : x->size() == 4 ? (*x)[3]
                     : heads > 0      ? floor_divide((*x)[2], heads)
                                      : Dim();
    const InputShape* cosine = shape_of_rank(ctx, 2, 2, "cos_cache");
    if (rotated > 0 && size.is_known()) {
        if (rotated > size.value())
            ctx.fail(
                fmt::format("attribute rotary_embedding_dim is {}, but heads have only {} elements",
                            rotated, size.value()));
        if (cosine && surely_different((*cosine)[1], rotated / 2) &&
            surely_different((*cosine)[1], size.value() / 2))
            ctx.fail(fmt::format("cos_cache of shape {} does not fit rotary_embedding_dim {}",
                                 to_string(*cosine), rotated));
    }
    infer_same_shape(ctx);
}

namespace {

/// Infers the subgraphs of a text generator; the size of the vocabulary by its attribute or the
/// decoder's logits.
Dim infer_vocabulary(InferenceContext& ctx) {
    const Node& node = ctx.node();
    Dim vocabulary;
    for (const char* name : {"init_decoder", "encoder", "decoder"}) {
        if (!node.has_attribute(name)) continue;
        const std::vector<Type> types = ctx.infer_subgraph(name, {}, false);
        if (std::string_view(name) == "decoder" && !types.empty() && types[0].shape &&
            types[0].shape->size() == 3)
            vocabulary = types[0].shape->back();
    }
    const std::int64_t size = node.int_attribute("vocab_size", -1);
    return size > 0 ? Dim(size) : vocabulary;
}

/// Tokens that a beam search starts with: T5 (model type 1) with one, Whisper (2) with those it is
/// given, or one.
Dim prompt_length(const InferenceContext& ctx) {
    const Node& node = ctx.node();
    const std::int64_t model =
        node.int_attribute("model_type", node.op_type == "BeamSearch" ? 0 : 2);
    if (model == 1 || (model == 2 && !ctx.has_input(10))) return 1;
    const InputShape* start = ctx.input_shape(model == 0 ? 0 : 10);
    return start && start->size() == 2 ? (*start)[1] : Dim();
}

}  // namespace

/// GreedySearch, Sampling, BeamSearch, WhisperBeamSearch. The subgraphs are typed by their own
/// declarations.
void infer_generation(InferenceContext& ctx) {
    const Node& node = ctx.node();
    const Dim vocabulary = infer_vocabulary(ctx);
    const InputShape* ids = ctx.input_shape(0);
    const auto number = [&](std::size_t input) -> Dim {
        const auto value = ctx.elements(input);
        return value && value->size() == 1 && surely_not_negative((*value)[0]) ? (*value)[0]
                                                                               : Dim();
    };
    const Dim batch = ids && !ids->empty() ? (*ids)[0] : Dim(), length = number(1);
    if (node.op_type == "GreedySearch" || node.op_type == "Sampling") {
        ctx.set_output_shape(0, {batch, length});
        // filtered_logits
        if (ctx.output_count() > 1) ctx.set_output_shape(1, {batch, vocabulary});
        return;
    }
    ctx.set_output_shape(0, {batch, number(4), length});
    ctx.set_output_shape(1, {batch, number(4)});
    const Dim prompt = prompt_length(ctx);
    const bool is_longer =
        length.is_known() && prompt.is_known() && length.value() > prompt.value();
    if (ctx.output_count() > 2)
        ctx.set_output_shape(
            2, {is_longer ? subtract(length, prompt) : Dim(), batch, number(3), vocabulary});
    // Scores have the type of the penalties.
    for (std::size_t i = 1; i < 3 && i < ctx.output_count(); ++i)
        if (ctx.output_type(i).dtype == DType::undefined) set_dtype(ctx, i, DType::f32);
}

/// MatMulNBits, MatMulBnb4, MatMulFpQ4: [..., K] to [..., N].
void infer_matmul_weight_only(InferenceContext& ctx) {
    const std::int64_t k = positive_attribute(ctx, "K", 0), n = positive_attribute(ctx, "N", 0);
    const InputShape* a = shape_of_least_rank(ctx, 0, 1, "A");
    const bool is_bnb4 = ctx.node().op_type == "MatMulBnb4",
               takes_rows = is_bnb4 && ctx.node().int_attribute("transB", 1) == 0;
    if (a)
        same_dim(ctx, a->back(), takes_rows ? n : k,
                 takes_rows ? "last axis of A and attribute N" : "last axis of A and attribute K");
    if (ctx.node().op_type == "MatMulNBits") {
        const std::int64_t bits = ctx.node().int_attribute("bits", 4),
                           block = positive_attribute(ctx, "block_size", 0);
        if (bits < 2 || bits > 8)
            ctx.fail(fmt::format("attribute bits must be 2 to 8, found {}", bits));
        if (block < 16 || (block & (block - 1)) != 0)
            ctx.fail(fmt::format(
                "attribute block_size must be a power of two of at least 16, found {}", block));
        const Dim blocks = ceil_divide(k, block);
        require_elements(
            ctx, 1, multiply(multiply(n, blocks), floor_divide(multiply(block, bits), 8)), "B");
        require_elements(ctx, 2, multiply(n, blocks), "scales");
    }
    if (a) ctx.set_output_shape(0, with_last(*a, takes_rows ? k : n));
}

void infer_relative_position_bias(InferenceContext& ctx) {
    const InputShape* table = shape_of_rank(ctx, 0, 2, "bias_table");
    const auto number = [&](std::size_t input) -> Dim {
        const auto value = ctx.elements(input);
        return value && value->size() == 1 && surely_not_negative((*value)[0]) ? (*value)[0]
                                                                               : Dim();
    };
    ctx.set_output_shape(0, {1, table ? (*table)[1] : Dim(), number(1), number(2)});
}

}  // namespace lapidary
