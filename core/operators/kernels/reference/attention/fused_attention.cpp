// SPDX-License-Identifier: Apache-2.0
// com.microsoft: Attention (with the Q, K, V projection) and MultiHeadAttention.
#include <cmath>
#include <limits>

#include "kernels/attention/beam_cache.h"
#include "kernels/input_index.h"
#include "kernels/reference/attention/fused_attention.h"
#include "kernels/reference/attention/head_attention.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {

void matmul(KernelContext&);

namespace {

float positive_scale(const Node& node, std::int64_t size) {
    const float scale = node.float_attribute("scale", 0.0f);
    return scale != 0 ? scale : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
}

/// past_sequence_length when past and present share one buffer.
std::int64_t shared_past_length(const KernelContext& context, std::size_t index,
                                std::int64_t capacity) {
    const Tensor& tensor = context.input(index);
    if (tensor.size() != 1)
        context.fail("past_sequence_length: expected one element, found " +
                     to_string(tensor.shape()));
    const std::int64_t length = to_int64s(tensor)[0];
    if (length < 0 || length > capacity)
        context.fail("past_sequence_length " + std::to_string(length) +
                     " is outside of the buffer of " + std::to_string(capacity));
    return length;
}

void write_output(KernelContext& context, const HeadAttention& attention, DType dtype) {
    Tensor wide = context.scratch(
        DType::f32, {attention.batch, attention.queries, attention.heads * attention.value_size});
    attention.run(context, wide.mutable_data<float>().data());
    set_result(context, 0, wide, dtype);
}

/// Sizes of an Attention whose projection [B, S, H] holds Q, K and V side by side.
struct ProjectedSizes {
    std::int64_t heads, batch, sequence, width, size, value_size;
    std::vector<std::int64_t> hidden;  // of Q, K and V

    ProjectedSizes(const KernelContext& context, const Tensor& projected, const Tensor* bias) {
        const Node& node = context.node();
        if (node.int_attribute("do_rotary", 0) != 0)
            fail_unsupported("attribute do_rotary of Attention is not supported");
        if (projected.rank() != 3)
            context.fail("expected a projection [B,S,H], found " + to_string(projected.shape()));
        heads = node.int_attribute("num_heads", 0);
        batch = projected.dim(0);
        sequence = projected.dim(1);
        width = projected.dim(2);
        if (heads < 1)
            fail_model("attribute num_heads: expected at least 1, found " + std::to_string(heads));
        read_hidden(context);
        size = hidden[0] / heads;
        value_size = hidden[2] / heads;
        if (bias && bias->shape() != Shape{width})
            context.fail("the bias: expected [" + std::to_string(width) + "], found " +
                         to_string(bias->shape()));
    }

private:
    void read_hidden(const KernelContext& context) {
        hidden = context.node().ints_attribute("qkv_hidden_sizes");
        if (hidden.empty()) {
            if (width % 3 != 0)
                context.fail("the projection has " + std::to_string(width) +
                             " columns, which is no multiple of 3");
            hidden.assign(3, width / 3);
        }
        if (hidden.size() != 3 || hidden[0] != hidden[1] || hidden[0] < 1 || hidden[2] < 1 ||
            hidden[0] > width || hidden[2] > width || hidden[0] + hidden[1] + hidden[2] != width)
            context.fail("attribute qkv_hidden_sizes: " + to_string(hidden) + " does not divide " +
                         std::to_string(width) + " columns into Q, K and V");
        if (hidden[0] % heads != 0 || hidden[2] % heads != 0)
            context.fail("attribute num_heads: " + std::to_string(heads) +
                         " does not divide the hidden sizes " + to_string(hidden));
    }
};

/// Rows of keys and values: those of the past in front of the new ones.
struct ProjectedRows {
    std::int64_t past = 0, capacity = 0, keys, present;  // capacity: rows of the past's buffer
    bool shared;                                         // past and present are one buffer

    ProjectedRows(const KernelContext& context, const ProjectedSizes& s, const Tensor* past_tensor,
                  std::size_t past_length_input)
        : shared(context.node().int_attribute("past_present_share_buffer", 0) != 0) {
        if (past_tensor) {
            const Shape& p = past_tensor->shape();
            if (p.size() != 5 || p[0] != 2 || p[1] != s.batch || p[2] != s.heads ||
                p[4] != s.size || s.size != s.value_size)
                context.fail("past: expected [2," + std::to_string(s.batch) + "," +
                             std::to_string(s.heads) + ",P," + std::to_string(s.size) +
                             "], found " + to_string(p));
            capacity = p[3];
            past = shared ? shared_past_length(context, past_length_input, capacity) : capacity;
        }
        keys = past + s.sequence;
        present = shared && past_tensor ? std::max(capacity, keys) : keys;
    }
};

/// Columns [offset, offset + heads * item) of the projection with their bias as [B, N, S, item].
Tensor projected_heads(KernelContext& context, const ProjectedSizes& s, const Tensor& projected,
                       const float* bias, std::int64_t offset, std::int64_t item) {
    Tensor out = context.scratch(DType::f32, {s.batch, s.heads, s.sequence, item});
    split_heads(projected.data<float>().data(), s.width, offset, bias ? bias + offset : nullptr,
                s.batch, s.sequence, s.heads, item, out.mutable_data<float>().data());
    return out;
}

/// `fresh` [B, N, S, item] behind the rows of the past.
Tensor joined_rows(KernelContext& context, const ProjectedSizes& s, const ProjectedRows& rows,
                   const float* past, const Tensor& fresh, std::int64_t item) {
    Tensor all = context.scratch(DType::f32, {s.batch, s.heads, rows.present, item});
    join_past(past, rows.past, rows.capacity, fresh.data<float>().data(), s.sequence,
              s.batch * s.heads, item, rows.present, rows.shared, all.mutable_data<float>().data());
    return all;
}

/// Output 1: all keys, then all values.
void write_present(KernelContext& context, const ProjectedSizes& s, const Tensor& keys,
                   const Tensor& values, DType dtype) {
    if (s.size != s.value_size)
        context.fail("present needs keys and values of one size, found " + std::to_string(s.size) +
                     " and " + std::to_string(s.value_size));
    Tensor present = context.scratch(DType::f32, {2, s.batch, s.heads, keys.dim(2), s.size});
    auto to = present.mutable_data<float>().begin();
    to = std::ranges::copy(keys.data<float>(), to).out;
    std::ranges::copy(values.data<float>(), to);
    set_result(context, 1, present, dtype);
}

}  // namespace

void attend_projected(KernelContext& context, const Tensor& projected, const Tensor* bias,
                      const Tensor* mask, const Tensor* past, const Tensor* attention_bias,
                      std::size_t past_length_input, DType dtype) {
    const Node& node = context.node();
    const ProjectedSizes s(context, projected, bias);
    const ProjectedRows rows(context, s, past, past_length_input);
    const Tensor wide_bias = bias ? converted(context, *bias, DType::f32) : Tensor(),
                 wide_past = past ? converted(context, *past, DType::f32) : Tensor();
    const float* b = bias ? wide_bias.data<float>().data() : nullptr;
    const Tensor q = projected_heads(context, s, projected, b, 0, s.size),
                 k = projected_heads(context, s, projected, b, s.hidden[0], s.size),
                 v = projected_heads(context, s, projected, b, 2 * s.hidden[0], s.value_size);
    const float* old = past ? wide_past.data<float>().data() : nullptr;
    const Tensor all_k = joined_rows(context, s, rows, old, k, s.size),
                 all_v = joined_rows(context, s, rows, old ? old + wide_past.size() / 2 : nullptr,
                                     v, s.value_size);
    if (context.output_count() > 1 && context.wants_output(1))
        write_present(context, s, all_k, all_v, dtype);

    HeadAttention attention;
    attention.batch = s.batch;
    attention.heads = attention.key_heads = s.heads;
    attention.queries = s.sequence;
    attention.keys = rows.keys;
    attention.key_capacity = rows.present;
    attention.size = s.size;
    attention.value_size = s.value_size;
    attention.scale = positive_scale(node, s.size);
    attention.q = q.data<float>().data();
    attention.k = all_k.data<float>().data();
    attention.v = all_v.data<float>().data();
    const PaddingMask padding(context, mask, s.batch, s.sequence, rows.keys, rows.past,
                              node.float_attribute("mask_filter_value", -10000.0f));
    const ScoreBias score_bias(context, attention_bias, s.batch, s.heads, s.sequence, rows.keys);
    attention.add_bias = [&](std::int64_t batch_index, std::int64_t head, std::int64_t row,
                             float* scores) {
        padding.add(batch_index, row, scores);
        score_bias.add(batch_index, head, row, scores);
    };
    if (node.int_attribute("unidirectional", 0) != 0) attention.hide_later_keys(rows.past + 1);
    write_output(context, attention, dtype);
}

void fused_attention(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    if (x.rank() != 3 || w.rank() != 2 || x.dim(2) != w.dim(0))
        context.fail("expected X [B,S,I] and weights [I,H], found " + to_string(x.shape()) +
                     " and " + to_string(w.shape()));
    const Tensor projected =
        run_nested_one(context, matmul, {"MatMul"},
                       {converted(context, x, DType::f32), converted(context, w, DType::f32)});
    attend_projected(context, projected, context.optional_input(2),
                     context.optional_input(fused_attention_input::mask_index),
                     context.optional_input(fused_attention_input::past),
                     context.optional_input(fused_attention_input::attention_bias),
                     fused_attention_input::past_sequence_length, x.dtype());
}

namespace {

/// Q, K and V of MultiHeadAttention as [B, N, rows, size], whatever form they came in.
struct SplitInputs {
    std::int64_t batch, heads, queries, rows, size, value_size;
    Tensor q, k, v;

    explicit SplitInputs(KernelContext& context) {
        heads = context.node().int_attribute("num_heads", 0);
        if (heads < 1)
            fail_model("attribute num_heads: expected at least 1, found " + std::to_string(heads));
        const Tensor query = converted(context, context.input(0), DType::f32);
        const Tensor *key = context.optional_input(1), *value = context.optional_input(2),
                     *bias = context.optional_input(multi_head_input::bias);
        const bool packed = query.rank() == 5;
        if (packed ? query.dim(2) != heads || query.dim(3) != 3
                   : query.rank() != 3 || query.dim(2) % heads != 0)
            context.fail("query: expected [B,S,H] or [B,S," + std::to_string(heads) +
                         ",3,size], found " + to_string(query.shape()));
        batch = query.dim(0);
        queries = query.dim(1);
        size = value_size = packed ? query.dim(4) : query.dim(2) / heads;
        const QkvBias biases{context, bias,
                             bias ? converted(context, *bias, DType::f32) : Tensor()};
        const std::int64_t hidden = heads * size;
        if (packed) {
            rows = queries;
            q = unpack(context, query, 3, 0, biases.part(0, hidden));
            k = unpack(context, query, 3, 1, biases.part(hidden, hidden));
            v = unpack(context, query, 3, 2, biases.part(2 * hidden, hidden));
            return;
        }
        q = split(context, query, size, biases.part(0, hidden));
        if (!key) context.fail("key is required unless the query is packed");
        if (key->rank() == 5) {
            read_packed_key(context, *key, biases);
            return;
        }
        if (!value) context.fail("value is required unless it is packed with the key");
        if (!fit_query(*key, *value))
            context.fail("key and value: " + to_string(key->shape()) + " and " +
                         to_string(value->shape()) + " do not fit the query " +
                         to_string(query.shape()));
        const Tensor wide_key = converted(context, *key, DType::f32),
                     wide_value = converted(context, *value, DType::f32);
        if (key->rank() == 4) {  // already split: keys and values of an encoder
            rows = key->dim(2);
            value_size = value->dim(3);
            k = wide_key;
            v = wide_value;
            return;
        }
        rows = key->dim(1);
        value_size = value->dim(2) / heads;
        k = split(context, wide_key, size, biases.part(hidden, hidden));
        v = split(context, wide_value, value_size, biases.part(2 * hidden, heads * value_size));
    }

private:
    /// The bias of Q, K and V, one after the other.
    struct QkvBias {
        const KernelContext& context;
        const Tensor* given;
        const Tensor wide;

        const float* part(std::int64_t offset, std::int64_t length) const {
            if (!given) return nullptr;
            if (given->rank() != 1 || offset + length > given->size())
                context.fail("bias: " + to_string(given->shape()) + " is too short for Q, K and V");
            return wide.data<float>().data() + offset;
        }
    };

    /// [B, N, T, size] of an encoder, or rows [B, T, N * size] with values of a size of their own.
    bool fit_query(const Tensor& key, const Tensor& value) const {
        const int rank = key.rank();
        if ((rank != 3 && rank != 4) || value.rank() != rank || key.dim(0) != batch ||
            value.dim(0) != batch)
            return false;
        if (rank == 4)
            return key.dim(1) == heads && key.dim(3) == size && value.dim(1) == heads &&
                   value.dim(2) == key.dim(2);
        return key.dim(2) == heads * size && value.dim(1) == key.dim(1) &&
               value.dim(2) % heads == 0;
    }

    void read_packed_key(KernelContext& context, const Tensor& key, const QkvBias& biases) {
        if (key.dim(0) != batch || key.dim(2) != heads || key.dim(3) != 2 || key.dim(4) != size)
            context.fail("key: expected packed K and V [" + std::to_string(batch) + ",T," +
                         std::to_string(heads) + ",2," + std::to_string(size) + "], found " +
                         to_string(key.shape()));
        const Tensor wide = converted(context, key, DType::f32);
        const std::int64_t hidden = heads * size;
        rows = key.dim(1);
        k = unpack(context, wide, 2, 0, biases.part(hidden, hidden));
        v = unpack(context, wide, 2, 1, biases.part(2 * hidden, hidden));
    }

    /// [B, S, N * item] as [B, N, S, item].
    Tensor split(KernelContext& context, const Tensor& x, std::int64_t item,
                 const float* bias) const {
        const std::int64_t sequence = x.dim(1);
        Tensor out = context.scratch(DType::f32, {batch, heads, sequence, item});
        split_heads(x.data<float>().data(), heads * item, 0, bias, batch, sequence, heads, item,
                    out.mutable_data<float>().data());
        return out;
    }

    /// One of `count` tensors packed side by side per head: [B, S, N, count, size].
    Tensor unpack(KernelContext& context, const Tensor& x, std::int64_t count, std::int64_t which,
                  const float* bias) const {
        const std::int64_t sequence = x.dim(1);
        Tensor out = context.scratch(DType::f32, {batch, heads, sequence, size});
        float* to = out.mutable_data<float>().data();
        for (std::int64_t n = 0; n < batch * heads; ++n)
            for (std::int64_t s = 0; s < sequence; ++s, to += size) {
                const float* from =
                    x.data<float>().data() +
                    ((((n / heads) * sequence + s) * heads + n % heads) * count + which) * size;
                for (std::int64_t i = 0; i < size; ++i)
                    to[i] = bias ? from[i] + bias[n % heads * size + i] : from[i];
            }
        return out;
    }
};

}  // namespace

void multi_head_attention(KernelContext& context) {
    const Node& node = context.node();
    const DType dtype = context.input(0).dtype();
    SplitInputs in(context);
    const Tensor *past_key = context.optional_input(multi_head_input::past_key),
                 *past_value = context.optional_input(multi_head_input::past_value);
    std::int64_t past_rows = 0, capacity = 0;
    const bool shared = context.optional_input(multi_head_input::past_sequence_length) != nullptr;
    if (past_key) {
        if (!past_value || past_key->rank() != 4 || past_key->dim(0) != in.batch ||
            past_key->dim(1) != in.heads || past_key->dim(3) != in.size ||
            past_value->shape() != Shape{in.batch, in.heads, past_key->dim(2), in.value_size})
            context.fail("past_key and past_value do not fit " + std::to_string(in.batch) +
                         " sequences of " + std::to_string(in.heads) + " heads");
        capacity = past_key->dim(2);
        past_rows = shared ? shared_past_length(context, 8, capacity) : capacity;
    }
    const std::int64_t keys = past_rows + in.rows,
                       present_rows = shared && past_key ? std::max(capacity, keys) : keys;
    const bool wants_present =
        context.output_count() > 1 && (context.wants_output(1) || context.wants_output(2));
    if (past_key || wants_present) {
        const auto join = [&](const Tensor* past, const Tensor& fresh, std::int64_t size) {
            const Tensor old = past ? converted(context, *past, DType::f32) : Tensor();
            Tensor all = context.scratch(DType::f32, {in.batch, in.heads, present_rows, size});
            join_past(past ? old.data<float>().data() : nullptr, past_rows, capacity,
                      fresh.data<float>().data(), in.rows, in.batch * in.heads, size, present_rows,
                      shared, all.mutable_data<float>().data());
            return all;
        };
        in.k = join(past_key, in.k, in.size);
        in.v = join(past_value, in.v, in.value_size);
        if (context.output_count() > 1) set_result(context, 1, in.k, dtype);
        if (context.output_count() > 2) set_result(context, 2, in.v, dtype);
    }
    if (const Tensor* indirection = context.optional_input(multi_head_input::cache_indirection)) {
        if (!shared) context.fail("cache_indirection needs past_sequence_length");
        in.k = rows_of_beams(context, in.k, past_rows, *indirection);
        in.v = rows_of_beams(context, in.v, past_rows, *indirection);
    }
    HeadAttention attention;
    attention.batch = in.batch;
    attention.heads = attention.key_heads = in.heads;
    attention.queries = in.queries;
    attention.keys = keys;
    attention.key_capacity = present_rows;
    attention.size = in.size;
    attention.value_size = in.value_size;
    attention.scale = positive_scale(node, in.size);
    attention.q = in.q.data<float>().data();
    attention.k = in.k.data<float>().data();
    attention.v = in.v.data<float>().data();
    const PaddingMask padding(context, context.optional_input(multi_head_input::key_padding_mask),
                              in.batch, in.queries, keys, past_rows,
                              node.float_attribute("mask_filter_value", -10000.0f));
    const ScoreBias score_bias(context, context.optional_input(multi_head_input::attention_bias),
                               in.batch, in.heads, in.queries, keys);
    attention.add_bias = [&](std::int64_t b, std::int64_t head, std::int64_t s, float* scores) {
        padding.add(b, s, scores);
        score_bias.add(b, head, s, scores);
    };
    if (node.int_attribute("unidirectional", 0) != 0)
        attention.hide_later_keys(keys - in.queries + 1);
    Tensor scores;
    if (context.output_count() > 3 && context.wants_output(3)) {
        scores = context.scratch(DType::f32, {in.batch, in.heads, in.queries, keys});
        attention.scores_out = scores.mutable_data<float>().data();
        attention.scores_stage = 3;
    }
    write_output(context, attention, dtype);
    if (scores) set_result(context, 3, scores, dtype);
}

}  // namespace lapidary::reference
