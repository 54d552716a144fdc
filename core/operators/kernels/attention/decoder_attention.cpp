// SPDX-License-Identifier: Apache-2.0
// The plain kernel of com.microsoft DecoderMaskedMultiHeadAttention: one new token per sequence
// against a cache that past and present share, or against the keys and values of an encoder.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/attention/beam_cache.h"
#include "kernels/input_index.h"
#include "kernels/reference/attention/head_attention.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

std::int64_t one_number(const KernelContext& context, std::size_t input, const char* name,
                        std::int64_t fallback) {
    const Tensor* given = context.optional_input(input);
    if (!given) return fallback;
    if (given->size() != 1)
        context.fail(std::string(name) + ": expected one element, found " +
                     to_string(given->shape()));
    return to_int64s(*given)[0];
}

void require_shape(const KernelContext& context, const char* name, const Tensor& tensor,
                   const Shape& expected) {
    if (tensor.shape() != expected)
        context.fail(std::string(name) + ": expected " + to_string(expected) + ", found " +
                     to_string(tensor.shape()));
}

/// Query, key and value of one token each, as [B, N, 1, size], with their part of the bias.
struct NewToken {
    const KernelContext& context;
    std::int64_t batch, heads;
    const Tensor* bias;

    Tensor split(KernelContext& scratch, const Tensor& x, std::int64_t first_column,
                 std::int64_t size, std::int64_t bias_offset) const {
        const Tensor wide = converted(scratch, x, DType::f32),
                     shift = bias ? converted(scratch, *bias, DType::f32) : Tensor();
        if (bias && (bias->rank() != 1 || bias_offset + heads * size > bias->size()))
            context.fail("bias: " + to_string(bias->shape()) + " is too short for Q, K and V");
        Tensor out = scratch.scratch(DType::f32, {batch, heads, 1, size});
        split_heads(wide.data<float>().data(), x.dim(2), first_column,
                    bias ? shift.data<float>().data() + bias_offset : nullptr, batch, 1, heads,
                    size, out.mutable_data<float>().data());
        return out;
    }
};

/// The keys and values that the query attends to: [B, N, capacity, size], of which `keys` rows are
/// valid.
struct DecoderKeys {
    Tensor k, v;
    std::int64_t keys = 0, capacity = 0, value_size = 0;
};

/// Keys and values of an encoder, given as inputs 1 and 2.
DecoderKeys encoder_keys(KernelContext& context, std::int64_t batch, std::int64_t heads,
                         std::int64_t size) {
    const Tensor &key = context.input(1), &value = context.input(2);
    if (value.rank() != 4)
        context.fail("value: expected [B,N,T,size] as the key has, found " +
                     to_string(value.shape()));
    for (std::size_t output : {1, 2})
        if (context.output_count() > output && context.wants_output(output))
            context.fail("output " + std::to_string(output) +
                         " is wanted, but keys and values of rank 4 are those of an encoder and "
                         "stay as they are");
    DecoderKeys out;
    out.keys = out.capacity = key.dim(2);
    out.value_size = value.dim(3);
    require_shape(context, "key", key, {batch, heads, out.keys, size});
    require_shape(context, "value", value, {batch, heads, out.keys, out.value_size});
    out.k = converted(context, key, DType::f32);
    out.v = converted(context, value, DType::f32);
    return out;
}

/// The layout of past rows and the new row in keys and values.
struct PastRows {
    std::int64_t past, buffer, capacity;  // rows: of the past, that its tensor holds, of the result
    bool shared;                          // past and present are one buffer
    const Tensor* indirection;            // of beams; may be absent

    /// The past behind which `fresh` [B, N, 1, size] stands; output `output` where that is wanted.
    Tensor join(KernelContext& context, const Tensor* old, const Tensor& fresh,
                std::size_t output) const {
        const std::int64_t batch = fresh.dim(0), heads = fresh.dim(1), size = fresh.dim(3);
        const Tensor wide = old ? converted(context, *old, DType::f32) : Tensor();
        Tensor all = context.scratch(DType::f32, {batch, heads, capacity, size});
        join_past(old ? wide.data<float>().data() : nullptr, past, buffer,
                  fresh.data<float>().data(), 1, batch * heads, size, capacity, shared,
                  all.mutable_data<float>().data());
        if (context.output_count() > output && context.wants_output(output))
            set_result(context, output, all, context.input(0).dtype());
        return indirection ? rows_of_beams(context, all, past, *indirection) : all;
    }
};

/// The past rows and the new one, which are also the present outputs.
DecoderKeys joined_keys(KernelContext& context, const NewToken& token, std::int64_t size) {
    const Tensor &query = context.input(0), *key = context.optional_input(1),
                 *value = context.optional_input(2);
    const Tensor *past_key = context.optional_input(decoder_attention_input::past_key),
                 *past_value = context.optional_input(decoder_attention_input::past_value),
                 *indirection = context.optional_input(decoder_attention_input::cache_indirection);
    const std::int64_t batch = token.batch, heads = token.heads, hidden = heads * size;
    DecoderKeys out;
    out.value_size = size;
    if (key) {
        require_shape(context, "key", *key, {batch, 1, hidden});
        if (!value || value->rank() != 3 || value->dim(2) % heads != 0)
            context.fail("value: expected [B,1,heads * size]");
        out.value_size = value->dim(2) / heads;
        require_shape(context, "value", *value, {batch, 1, heads * out.value_size});
    }
    const Tensor new_key = token.split(context, key ? *key : query, key ? 0 : hidden, size, hidden);
    const Tensor new_value = token.split(context, key ? *value : query, key ? 0 : 2 * hidden,
                                         out.value_size, 2 * hidden);
    const bool shared = context.node().int_attribute("past_present_share_buffer", 0) != 0;
    if (!past_key != !past_value) context.fail("past_key and past_value are given only together");
    const std::int64_t buffer = past_key && past_key->rank() == 4 ? past_key->dim(2) : 0;
    if (past_key) {
        require_shape(context, "past_key", *past_key, {batch, heads, buffer, size});
        require_shape(context, "past_value", *past_value, {batch, heads, buffer, out.value_size});
    }
    if (shared && !context.optional_input(decoder_attention_input::past_sequence_length))
        context.fail("past_sequence_length is required where past and present share a buffer");
    const std::int64_t past =
        shared ? one_number(context, decoder_attention_input::past_sequence_length,
                            "past_sequence_length", 0)
               : buffer;
    if (past < 0 || past > buffer)
        context.fail("past_sequence_length " + std::to_string(past) +
                     " is outside of the cache of " + std::to_string(buffer));
    if (indirection && indirection->rank() == 3 &&
        one_number(context, decoder_attention_input::beam_width, "beam_width",
                   indirection->dim(1)) != indirection->dim(1))
        context.fail("beam_width does not fit cache_indirection " +
                     to_string(indirection->shape()));
    out.keys = past + 1;
    out.capacity = shared ? std::max(buffer, out.keys) : out.keys;
    const PastRows rows{past, buffer, out.capacity, shared, indirection};
    out.k = rows.join(context, past_key, new_key, 1);
    out.v = rows.join(context, past_value, new_value, 2);
    return out;
}

}  // namespace

Tensor rows_of_beams(KernelContext& context, const Tensor& rows, std::int64_t past,
                     const Tensor& indirection) {
    const std::int64_t beams = indirection.rank() == 3 ? indirection.dim(1) : 0;
    if (beams < 1 || indirection.dim(0) * beams != rows.dim(0) || indirection.dim(2) < past)
        context.fail("cache_indirection: expected [batch,beams," + std::to_string(past) +
                     " or more] for " + std::to_string(rows.dim(0)) + " sequences, found " +
                     to_string(indirection.shape()));
    const auto from = to_int64s(indirection);
    Tensor out = context.scratch(DType::f32, rows.shape());
    const std::int64_t heads = rows.dim(1), capacity = rows.dim(2), size = rows.dim(3);
    const float* source = rows.data<float>().data();
    float* to = out.mutable_data<float>().data();
    std::copy_n(source, rows.size(), to);
    for (std::int64_t b = 0; b < rows.dim(0); ++b)
        for (std::int64_t t = 0; t < past; ++t) {
            const std::int64_t beam = from[static_cast<std::size_t>(b * indirection.dim(2) + t)];
            if (beam < 0 || beam >= beams)
                context.fail("cache_indirection: beam " + std::to_string(beam) + " is none of " +
                             std::to_string(beams));
            for (std::int64_t h = 0; h < heads; ++h)
                std::copy_n(
                    source + (((b / beams * beams + beam) * heads + h) * capacity + t) * size, size,
                    to + ((b * heads + h) * capacity + t) * size);
        }
    return out;
}

void decoder_masked_multi_head_attention(KernelContext& context) {
    const Node& node = context.node();
    const Tensor &query = context.input(0), *key = context.optional_input(1);
    const DType dtype = query.dtype();
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    if (heads < 1)
        fail_model("attribute num_heads: expected at least 1, found " + std::to_string(heads));
    if (heads > std::numeric_limits<std::int32_t>::max())
        fail_model("attribute num_heads: " + std::to_string(heads) +
                   " heads are more than 2147483647");
    const std::int64_t columns = key ? heads : 3 * heads;
    if (query.rank() != 3 || query.dim(1) != 1 || query.dim(2) % columns != 0 || query.dim(2) == 0)
        context.fail("query: expected [B,1," + std::to_string(columns) + " * size], found " +
                     to_string(query.shape()));
    const std::int64_t batch = query.dim(0), size = query.dim(2) / columns;
    const NewToken token{context, batch, heads,
                         context.optional_input(decoder_attention_input::bias)};
    const Tensor q = token.split(context, query, 0, size, 0);
    const DecoderKeys past = key && key->rank() == 4 ? encoder_keys(context, batch, heads, size)
                                                     : joined_keys(context, token, size);
    const std::int64_t keys = past.keys, value_size = past.value_size;

    HeadAttention attention;
    attention.batch = batch;
    attention.heads = attention.key_heads = heads;
    attention.queries = 1;
    attention.keys = keys;
    attention.key_capacity = past.capacity;
    attention.size = size;
    attention.value_size = value_size;
    attention.scale = node.float_attribute("scale", 0.0f);
    if (attention.scale == 0)
        attention.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
    attention.q = q.data<float>().data();
    attention.k = past.k.data<float>().data();
    attention.v = past.v.data<float>().data();
    const PaddingMask padding(context, context.optional_input(decoder_attention_input::mask_index),
                              batch, 1, keys, keys - 1,
                              node.float_attribute("mask_filter_value", -10000.0f));
    const ScoreBias score_bias(context,
                               context.optional_input(decoder_attention_input::attention_bias),
                               batch, heads, 1, keys);
    attention.add_bias = [&](std::int64_t b, std::int64_t head, std::int64_t s, float* scores) {
        padding.add(b, s, scores);
        score_bias.add(b, head, s, scores);
    };
    Tensor scores;
    if (context.output_count() > 3 && context.wants_output(3)) {
        scores = context.scratch(DType::f32, {batch, heads, 1, keys});
        attention.scores_out = scores.mutable_data<float>().data();
        attention.scores_stage = 3;
    }
    Tensor wide = context.scratch(DType::f32, {batch, 1, heads * value_size});
    attention.run(context, wide.mutable_data<float>().data());
    set_result(context, 0, wide, dtype);
    if (scores) set_result(context, 3, scores, dtype);
}

}  // namespace lapidary::reference
