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
std::int64_t shared_past_length(const KernelContext& context, std::size_t index, std::int64_t capacity) {
    const Tensor& tensor = context.input(index);
    if (tensor.size() != 1)
        context.fail("past_sequence_length: expected one element, found " + to_string(tensor.shape()));
    const std::int64_t length = to_int64s(tensor)[0];
    if (length < 0 || length > capacity)
        context.fail("past_sequence_length " + std::to_string(length) + " is outside of the buffer of " +
                     std::to_string(capacity));
    return length;
}

void write_output(KernelContext& context, const HeadAttention& attention, DType dtype) {
    Tensor wide =
        context.scratch(DType::f32, {attention.batch, attention.queries, attention.heads * attention.value_size});
    attention.run(context, wide.mutable_data<float>().data());
    set_result(context, 0, wide, dtype);
}

}  // namespace

void attend_projected(KernelContext& context, const Tensor& projected, const Tensor* bias, const Tensor* mask,
                      const Tensor* past, const Tensor* attention_bias, std::size_t past_length_input, DType dtype) {
    const Node& node = context.node();
    if (node.int_attribute("do_rotary", 0) != 0) fail_unsupported("attribute do_rotary of Attention is not supported");
    if (projected.rank() != 3) context.fail("expected a projection [B,S,H], found " + to_string(projected.shape()));
    const std::int64_t heads = node.int_attribute("num_heads", 0), batch = projected.dim(0),
                       sequence = projected.dim(1), width = projected.dim(2);
    if (heads < 1) fail_model("attribute num_heads: expected at least 1, found " + std::to_string(heads));
    std::vector<std::int64_t> sizes = node.ints_attribute("qkv_hidden_sizes");
    if (sizes.empty()) {
        if (width % 3 != 0)
            context.fail("the projection has " + std::to_string(width) + " columns, which is no multiple of 3");
        sizes.assign(3, width / 3);
    }
    if (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] < 1 || sizes[2] < 1 || sizes[0] > width ||
        sizes[2] > width || sizes[0] + sizes[1] + sizes[2] != width)
        context.fail("attribute qkv_hidden_sizes: " + to_string(sizes) + " does not divide " + std::to_string(width) +
                     " columns into Q, K and V");
    if (sizes[0] % heads != 0 || sizes[2] % heads != 0)
        context.fail("attribute num_heads: " + std::to_string(heads) + " does not divide the hidden sizes " +
                     to_string(sizes));
    const std::int64_t size = sizes[0] / heads, value_size = sizes[2] / heads;
    if (bias && bias->shape() != Shape{width})
        context.fail("the bias: expected [" + std::to_string(width) + "], found " + to_string(bias->shape()));

    std::int64_t past_rows = 0, capacity = 0;
    const bool shared = node.int_attribute("past_present_share_buffer", 0) != 0;
    if (past) {
        const Shape& p = past->shape();
        if (p.size() != 5 || p[0] != 2 || p[1] != batch || p[2] != heads || p[4] != size || size != value_size)
            context.fail("past: expected [2," + std::to_string(batch) + "," + std::to_string(heads) + ",P," +
                         std::to_string(size) + "], found " + to_string(p));
        capacity = p[3];
        past_rows = shared ? shared_past_length(context, past_length_input, capacity) : capacity;
    }
    const std::int64_t keys = past_rows + sequence;
    const std::int64_t present_rows = shared && past ? std::max(capacity, keys) : keys;

    const Tensor wide_bias = bias ? converted(context, *bias, DType::f32) : Tensor(),
                 wide_past = past ? converted(context, *past, DType::f32) : Tensor();
    const float* b = bias ? wide_bias.data<float>().data() : nullptr;
    const float* x = projected.data<float>().data();
    Tensor q = context.scratch(DType::f32, {batch, heads, sequence, size}),
           k = context.scratch(DType::f32, {batch, heads, sequence, size});
    Tensor v = context.scratch(DType::f32, {batch, heads, sequence, value_size});
    split_heads(x, width, 0, b, batch, sequence, heads, size, q.mutable_data<float>().data());
    split_heads(x, width, sizes[0], b ? b + sizes[0] : nullptr, batch, sequence, heads, size,
                k.mutable_data<float>().data());
    split_heads(x, width, 2 * sizes[0], b ? b + 2 * sizes[0] : nullptr, batch, sequence, heads, value_size,
                v.mutable_data<float>().data());
    Tensor all_k = context.scratch(DType::f32, {batch, heads, present_rows, size}),
           all_v = context.scratch(DType::f32, {batch, heads, present_rows, value_size});
    const float* old = past ? wide_past.data<float>().data() : nullptr;
    join_past(old, past_rows, capacity, k.data<float>().data(), sequence, batch * heads, size, present_rows, shared,
              all_k.mutable_data<float>().data());
    join_past(old ? old + wide_past.size() / 2 : nullptr, past_rows, capacity, v.data<float>().data(), sequence,
              batch * heads, value_size, present_rows, shared, all_v.mutable_data<float>().data());

    if (context.output_count() > 1 && context.wants_output(1)) {
        if (size != value_size)
            context.fail("present needs keys and values of one size, found " + std::to_string(size) + " and " +
                         std::to_string(value_size));
        Tensor present = context.scratch(DType::f32, {2, batch, heads, present_rows, size});
        auto to = present.mutable_data<float>().begin();
        to = std::ranges::copy(all_k.data<float>(), to).out;
        std::ranges::copy(all_v.data<float>(), to);
        set_result(context, 1, present, dtype);
    }

    HeadAttention attention;
    attention.batch = batch;
    attention.heads = attention.key_heads = heads;
    attention.queries = sequence;
    attention.keys = keys;
    attention.key_capacity = present_rows;
    attention.size = size;
    attention.value_size = value_size;
    attention.scale = positive_scale(node, size);
    attention.q = q.data<float>().data();
    attention.k = all_k.data<float>().data();
    attention.v = all_v.data<float>().data();
    const PaddingMask padding(context, mask, batch, sequence, keys, past_rows,
                              node.float_attribute("mask_filter_value", -10000.0f));
    const ScoreBias score_bias(context, attention_bias, batch, heads, sequence, keys);
    attention.add_bias = [&](std::int64_t batch_index, std::int64_t head, std::int64_t s, float* scores) {
        padding.add(batch_index, s, scores);
        score_bias.add(batch_index, head, s, scores);
    };
    if (node.int_attribute("unidirectional", 0) != 0)
        attention.hide_later_keys(past_rows + 1);
    write_output(context, attention, dtype);
}

void fused_attention(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    if (x.rank() != 3 || w.rank() != 2 || x.dim(2) != w.dim(0))
        context.fail("expected X [B,S,I] and weights [I,H], found " + to_string(x.shape()) + " and " +
                     to_string(w.shape()));
    const Tensor projected = run_nested_one(context, matmul, {"MatMul"},
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
        if (heads < 1) fail_model("attribute num_heads: expected at least 1, found " + std::to_string(heads));
        const Tensor query = converted(context, context.input(0), DType::f32);
        const Tensor *key = context.optional_input(1), *value = context.optional_input(2),
                     *bias = context.optional_input(multi_head_input::bias);
        const bool packed = query.rank() == 5;
        if (packed ? query.dim(2) != heads || query.dim(3) != 3 : query.rank() != 3 || query.dim(2) % heads != 0)
            context.fail("query: expected [B,S,H] or [B,S," + std::to_string(heads) + ",3,size], found " +
                         to_string(query.shape()));
        batch = query.dim(0);
        queries = query.dim(1);
        size = packed ? query.dim(4) : query.dim(2) / heads;
        const Tensor wide_bias = bias ? converted(context, *bias, DType::f32) : Tensor();
        const auto part = [&](std::int64_t offset, std::int64_t length) -> const float* {
            if (!bias) return nullptr;
            if (bias->rank() != 1 || offset + length > bias->size())
                context.fail("bias: " + to_string(bias->shape()) + " is too short for Q, K and V");
            return wide_bias.data<float>().data() + offset;
        };
        const std::int64_t hidden = heads * size;
        const auto split = [&](const Tensor& x, std::int64_t sequence, std::int64_t item, const float* b) {
            Tensor out = context.scratch(DType::f32, {batch, heads, sequence, item});
            split_heads(x.data<float>().data(), heads * item, 0, b, batch, sequence, heads, item,
                        out.mutable_data<float>().data());
            return out;
        };
        // One of `count` tensors packed side by side per head: [B, S, N, count, size].
        const auto unpack = [&](const Tensor& x, std::int64_t count, std::int64_t which, const float* b) {
            const std::int64_t sequence = x.dim(1);
            Tensor out = context.scratch(DType::f32, {batch, heads, sequence, size});
            float* to = out.mutable_data<float>().data();
            for (std::int64_t n = 0; n < batch * heads; ++n)
                for (std::int64_t s = 0; s < sequence; ++s, to += size) {
                    const float* from = x.data<float>().data() +
                                        ((((n / heads) * sequence + s) * heads + n % heads) * count + which) * size;
                    for (std::int64_t i = 0; i < size; ++i) to[i] = b ? from[i] + b[n % heads * size + i] : from[i];
                }
            return out;
        };
        value_size = size;
        if (packed) {
            rows = queries;
            q = unpack(query, 3, 0, part(0, hidden));
            k = unpack(query, 3, 1, part(hidden, hidden));
            v = unpack(query, 3, 2, part(2 * hidden, hidden));
            return;
        }
        q = split(query, queries, size, part(0, hidden));
        if (!key) context.fail("key is required unless the query is packed");
        const Tensor wide_key = converted(context, *key, DType::f32);
        if (key->rank() == 5) {
            if (key->dim(0) != batch || key->dim(2) != heads || key->dim(3) != 2 || key->dim(4) != size)
                context.fail("key: expected packed K and V [" + std::to_string(batch) + ",T," + std::to_string(heads) +
                             ",2," + std::to_string(size) + "], found " + to_string(key->shape()));
            rows = key->dim(1);
            k = unpack(wide_key, 2, 0, part(hidden, hidden));
            v = unpack(wide_key, 2, 1, part(2 * hidden, hidden));
            return;
        }
        if (!value) context.fail("value is required unless it is packed with the key");
        const Tensor wide_value = converted(context, *value, DType::f32);
        if (key->rank() == 4) {  // already split: keys and values of an encoder
            if (key->dim(0) != batch || key->dim(1) != heads || key->dim(3) != size || value->rank() != 4 ||
                value->dim(0) != batch || value->dim(1) != heads || value->dim(2) != key->dim(2))
                context.fail("key and value: " + to_string(key->shape()) + " and " + to_string(value->shape()) +
                             " do not fit the query " + to_string(query.shape()));
            rows = key->dim(2);
            value_size = value->dim(3);
            k = wide_key;
            v = wide_value;
            return;
        }
        if (key->rank() != 3 || key->dim(0) != batch || key->dim(2) != hidden || value->rank() != 3 ||
            value->dim(0) != batch || value->dim(1) != key->dim(1) || value->dim(2) % heads != 0)
            context.fail("key and value: " + to_string(key->shape()) + " and " + to_string(value->shape()) +
                         " do not fit the query " + to_string(query.shape()));
        rows = key->dim(1);
        value_size = value->dim(2) / heads;
        k = split(wide_key, rows, size, part(hidden, hidden));
        v = split(wide_value, rows, value_size, part(2 * hidden, heads * value_size));
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
        if (!past_value || past_key->rank() != 4 || past_key->dim(0) != in.batch || past_key->dim(1) != in.heads ||
            past_key->dim(3) != in.size ||
            past_value->shape() != Shape{in.batch, in.heads, past_key->dim(2), in.value_size})
            context.fail("past_key and past_value do not fit " + std::to_string(in.batch) + " sequences of " +
                         std::to_string(in.heads) + " heads");
        capacity = past_key->dim(2);
        past_rows = shared ? shared_past_length(context, 8, capacity) : capacity;
    }
    const std::int64_t keys = past_rows + in.rows, present_rows = shared && past_key ? std::max(capacity, keys) : keys;
    const bool wants_present = context.output_count() > 1 && (context.wants_output(1) || context.wants_output(2));
    if (past_key || wants_present) {
        const auto join = [&](const Tensor* past, const Tensor& fresh, std::int64_t size) {
            const Tensor old = past ? converted(context, *past, DType::f32) : Tensor();
            Tensor all = context.scratch(DType::f32, {in.batch, in.heads, present_rows, size});
            join_past(past ? old.data<float>().data() : nullptr, past_rows, capacity, fresh.data<float>().data(),
                      in.rows, in.batch * in.heads, size, present_rows, shared, all.mutable_data<float>().data());
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
    const PaddingMask padding(context, context.optional_input(multi_head_input::key_padding_mask), in.batch, in.queries,
                              keys, past_rows, node.float_attribute("mask_filter_value", -10000.0f));
    const ScoreBias score_bias(context, context.optional_input(multi_head_input::attention_bias), in.batch, in.heads,
                               in.queries, keys);
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
