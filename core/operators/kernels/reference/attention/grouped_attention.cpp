// SPDX-License-Identifier: Apache-2.0
// com.microsoft: GroupQueryAttention and RotaryEmbedding.
#include <cmath>

#include "base/checked.h"
#include "kernels/input_index.h"
#include "kernels/reference/attention/grouped_cache.h"
#include "kernels/reference/attention/head_attention.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

/// cos and sin of positions, [positions, rotated / 2].
struct RotaryTable {
    Tensor cos, sin;
    std::int64_t half, positions;
    bool interleaved;

    RotaryTable(KernelContext& context, const Tensor& cos_cache, const Tensor& sin_cache,
                bool pairs)
        : cos(converted(context, cos_cache, DType::f32)),
          sin(converted(context, sin_cache, DType::f32)), interleaved(pairs) {
        if (cos.rank() != 2 || cos.shape() != sin.shape())
            context.fail("cos_cache and sin_cache: expected two equal matrices, found " +
                         to_string(cos.shape()) + " and " + to_string(sin.shape()));
        positions = cos.dim(0);
        half = cos.dim(1);
    }

    /// Rotates the first 2 * half elements of one head's row in place.
    void rotate(float* row, std::int64_t position) const {
        if (position < 0 || position >= positions)
            fail_input("position " + std::to_string(position) + " is outside of the " +
                       std::to_string(positions) + " cached ones");
        const float* c = cos.data<float>().data() + position * half;
        const float* s = sin.data<float>().data() + position * half;
        for (std::int64_t i = 0; i < half; ++i) {
            float& a = row[interleaved ? 2 * i : i];
            float& b = row[interleaved ? 2 * i + 1 : i + half];
            const float x = a, y = b;
            a = x * c[i] - y * s[i];
            b = x * s[i] + y * c[i];
        }
    }
};

/// The weights and epsilon by which GroupQueryAttention normalizes the rows of its query or key
/// heads by their root mean square.
struct HeadNorm {
    Tensor weight;
    double epsilon;

    HeadNorm(KernelContext& context, std::size_t input, std::int64_t size, const char* own_epsilon)
        : epsilon(context.node().float_attribute(
              own_epsilon, context.node().float_attribute("qk_norm_epsilon", 1e-6f))) {
        const Tensor* given = context.optional_input(input);
        if (!given) return;
        if (given->shape() != Shape{size})
            context.fail("input " + std::to_string(input) + ": expected norm weights [" +
                         std::to_string(size) + "], found " + to_string(given->shape()));
        weight = converted(context, *given, DType::f32);
    }

    /// Rows of `size` elements in place.
    void apply(std::span<float> rows) const {
        if (!weight) return;
        const auto scale = weight.data<float>();
        for (std::size_t at = 0; at < rows.size(); at += scale.size()) {
            double sum = 0;
            for (std::size_t i = 0; i < scale.size(); ++i)
                sum += static_cast<double>(rows[at + i]) * rows[at + i];
            const auto factor = static_cast<float>(
                1 / std::sqrt(sum / static_cast<double>(scale.size()) + epsilon));
            for (std::size_t i = 0; i < scale.size(); ++i)
                rows[at + i] = rows[at + i] * factor * scale[i];
        }
    }
};

}  // namespace

void contrib_rotary_embedding(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Node& node = context.node();
    if (x.rank() != 3 && x.rank() != 4)
        context.fail("input 0: expected [B,S,H] or [B,N,S,size], found " + to_string(x.shape()));
    const RotaryTable table(context, context.input(2),
                            context.input(contrib_rotary_input::sin_cache),
                            node.int_attribute("interleaved", 0) != 0);
    const std::int64_t rotated = node.int_attribute("rotary_embedding_dim", 0);
    const bool heads_first = x.rank() == 4;
    const std::int64_t batch = x.dim(0), sequence = heads_first ? x.dim(2) : x.dim(1);
    std::int64_t size = heads_first ? x.dim(3) : 2 * table.half;
    if (!heads_first && rotated > 0) {
        const std::int64_t heads = node.int_attribute("num_heads", 0);
        if (heads < 1 || x.dim(2) % heads != 0)
            context.fail("attribute num_heads: " + std::to_string(heads) + " does not divide " +
                         std::to_string(x.dim(2)));
        size = x.dim(2) / heads;
    }
    if (2 * table.half > size || (!heads_first && size > 0 && x.dim(2) % size != 0))
        context.fail("cos_cache " + to_string(table.cos.shape()) + " does not fit heads of " +
                     to_string(x.shape()));
    const std::int64_t heads = heads_first ? x.dim(1) : size == 0 ? 0 : x.dim(2) / size;
    const Tensor& ids = context.input(1);
    const std::vector<std::int64_t> positions = to_int64s(ids);
    const bool is_offset = positions.size() == 1 && ids.rank() <= 1;
    if (is_offset && !checked_add(positions[0], sequence))
        context.fail("input 1: position " + std::to_string(positions[0]) +
                     " is outside the caches");
    if (!is_offset && ids.shape() != Shape{batch, sequence})
        context.fail("input 1: expected [1] or [" + std::to_string(batch) + "," +
                     std::to_string(sequence) + "], found " + to_string(ids.shape()));
    Tensor wide = context.scratch(DType::f32, x.shape());
    convert_into(context, x, wide);
    float* values = wide.mutable_data<float>().data();
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t n = 0; n < heads; ++n)
            for (std::int64_t s = 0; s < sequence; ++s) {
                const std::int64_t position =
                    is_offset ? positions[0] + s
                              : positions[static_cast<std::size_t>(b * sequence + s)];
                table.rotate(values + (heads_first ? ((b * heads + n) * sequence + s) * size
                                                   : ((b * sequence + s) * heads + n) * size),
                             position);
            }
    set_result(context, 0, wide, x.dtype());
}

namespace {

/// Heads and sizes of a GroupQueryAttention: query [B, S, H], alone or with keys and values packed
/// behind.
struct GroupedSizes {
    std::int64_t heads, key_heads, batch, sequence, size;
    bool packed;

    GroupedSizes(const KernelContext& context, const Tensor& query, const Tensor* key,
                 const Tensor* value)
        : heads(context.node().int_attribute("num_heads", 0)),
          key_heads(context.node().int_attribute("kv_num_heads", 0)), packed(key == nullptr) {
        if (heads < 1 || key_heads < 1 || heads % key_heads != 0)
            fail_model("attributes num_heads " + std::to_string(heads) + " and kv_num_heads " +
                       std::to_string(key_heads) + " do not fit");
        if (query.rank() != 3)
            context.fail("query: expected [B,S,H], found " + to_string(query.shape()));
        const std::int64_t columns = packed ? heads + 2 * key_heads : heads;
        batch = query.dim(0);
        sequence = query.dim(1);
        if (query.dim(2) % columns != 0)
            context.fail("query: " + to_string(query.shape()) + " does not divide into " +
                         std::to_string(columns) + " heads");
        size = query.dim(2) / columns;
        if (!packed && (!value || key->shape() != Shape{batch, sequence, key_heads * size} ||
                        value->shape() != key->shape()))
            context.fail("key and value: expected [" + std::to_string(batch) + "," +
                         std::to_string(sequence) + "," + std::to_string(key_heads * size) +
                         "], found " + to_string(key->shape()));
    }

    /// `count` heads from column `first` of x on as [B, count, S, size].
    Tensor split(KernelContext& context, const Tensor& x, std::int64_t first,
                 std::int64_t count) const {
        Tensor out = context.scratch(DType::f32, {batch, count, sequence, size});
        split_heads(x.data<float>().data(), x.dim(2), first, nullptr, batch, sequence, count, size,
                    out.mutable_data<float>().data());
        return out;
    }
};

/// Rotates queries and keys by their positions: those given, or counted from the end of each cache.
void rotate_heads(KernelContext& context, const GroupedSizes& sizes, const CacheRows& cache,
                  Tensor& q, Tensor& k) {
    const auto& [heads, key_heads, batch, sequence, size, packed] = sizes;
    const Tensor* position_ids = context.optional_input(group_query_input::position_ids);
    const RotaryTable table(context, context.input(group_query_input::cos_cache),
                            context.input(group_query_input::sin_cache),
                            context.node().int_attribute("rotary_interleaved", 0) != 0);
    if (2 * table.half > size)
        context.fail("cos_cache " + to_string(table.cos.shape()) + " does not fit heads of " +
                     std::to_string(size));
    const auto ids = position_ids ? to_int64s(*position_ids) : std::vector<std::int64_t>();
    if (position_ids && position_ids->shape() != Shape{batch, sequence})
        context.fail("position_ids: expected [" + std::to_string(batch) + "," +
                     std::to_string(sequence) + "], found " + to_string(position_ids->shape()));
    for (Tensor* x : {&q, &k})
        for (std::int64_t i = 0; i < batch * x->dim(1); ++i)
            for (std::int64_t s = 0; s < sequence; ++s) {
                const std::int64_t b = i / x->dim(1),
                                   position = ids.empty()
                                                  ? cache.past[static_cast<std::size_t>(b)] + s
                                                  : ids[static_cast<std::size_t>(b * sequence + s)];
                // Queries behind the end of a shorter sequence are padding.
                table.rotate(x->mutable_data<float>().data() + (i * sequence + s) * size,
                             std::min(position, table.positions - 1));
            }
}

/// Terms added to the denominator of each head's softmax: given numbers, or 1 (smooth softmax).
std::vector<float> sinks_of(KernelContext& context, std::int64_t heads) {
    if (const Tensor* sink = context.optional_input(group_query_input::head_sink)) {
        const Tensor wide = converted(context, *sink, DType::f32);
        if (wide.size() != heads)
            context.fail("head_sink: expected [" + std::to_string(heads) + "], found " +
                         to_string(sink->shape()));
        return {wide.data<float>().begin(), wide.data<float>().end()};
    }
    const bool is_smooth = context.node().int_attribute("smooth_softmax", 0) == 1;
    return std::vector<float>(is_smooth ? static_cast<std::size_t>(heads) : 0, 0.0f);
}

/// Output 3, where it is wanted: the scores before or after the softmax.
Tensor wanted_scores(KernelContext& context, HeadAttention& attention) {
    if (context.output_count() < 4 || !context.wants_output(3)) return {};
    Tensor scores = context.scratch(
        DType::f32, {attention.batch, attention.heads, attention.queries, attention.keys});
    attention.scores_out = scores.mutable_data<float>().data();
    attention.scores_stage = static_cast<int>(context.node().int_attribute("qk_output", 0));
    if (attention.scores_stage != 1 && attention.scores_stage != 2)
        fail_model("attribute qk_output: expected 1 or 2 where output 3 is wanted, found " +
                   std::to_string(attention.scores_stage));
    return scores;
}

}  // namespace

void group_query_attention(KernelContext& context) {
    const Node& node = context.node();
    const Tensor& query = context.input(0);
    const Tensor *key = context.optional_input(1), *value = context.optional_input(2);
    const GroupedSizes sizes(context, query, key, value);
    const auto& [heads, key_heads, batch, sequence, size, packed] = sizes;
    const CacheRows cache(context, batch, key_heads, size, sequence);
    const GroupedCache keys(context, cache, context.optional_input(group_query_input::past_key),
                            context.optional_input(group_query_input::k_scale),
                            node.string_attribute("k_quant_type", "NONE"), "key");
    const GroupedCache values(context, cache, context.optional_input(group_query_input::past_value),
                              context.optional_input(group_query_input::v_scale),
                              node.string_attribute("v_quant_type", "NONE"), "value");

    const Tensor wide_query = converted(context, query, DType::f32),
                 wide_key = packed ? wide_query : converted(context, *key, DType::f32),
                 wide_value = packed ? wide_query : converted(context, *value, DType::f32);
    Tensor q = sizes.split(context, wide_query, 0, heads),
           k = sizes.split(context, wide_key, packed ? heads * size : 0, key_heads),
           v = sizes.split(context, wide_value, packed ? (heads + key_heads) * size : 0, key_heads);
    HeadNorm(context, 14, size, "q_norm_epsilon").apply(q.mutable_data<float>());
    HeadNorm(context, 15, size, "k_norm_epsilon").apply(k.mutable_data<float>());
    if (node.int_attribute("do_rotary", 0) != 0) rotate_heads(context, sizes, cache, q, k);

    const Tensor all_k = keys.joined(context, std::move(k)),
                 all_v = values.joined(context, std::move(v));
    if (context.output_count() > 1)
        set_result(context, 1, keys.present(context, all_k), keys.stored_type(query.dtype()));
    if (context.output_count() > 2)
        set_result(context, 2, values.present(context, all_v), values.stored_type(query.dtype()));

    HeadAttention attention;
    attention.batch = batch;
    attention.heads = heads;
    attention.key_heads = key_heads;
    attention.queries = sequence;
    attention.keys = cache.keys;
    attention.key_capacity = cache.rows;
    attention.size = attention.value_size = size;
    attention.softcap = node.float_attribute("softcap", 0.0f);
    attention.scale = node.float_attribute("scale", 0.0f);
    if (attention.scale == 0)
        attention.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
    attention.q = q.data<float>().data();
    attention.k = all_k.data<float>().data();
    attention.v = all_v.data<float>().data();
    const ScoreBias score_bias(context, context.optional_input(group_query_input::attention_bias),
                               batch, heads, sequence, cache.keys);
    attention.add_bias = [&](std::int64_t b, std::int64_t head, std::int64_t s, float* scores) {
        score_bias.add(b, head, s, scores);
    };
    const bool causal = node.int_attribute("causal", 1) != 0;
    attention.visible = [&](std::int64_t b, std::int64_t s) { return cache.visible(b, s, causal); };
    attention.sinks = sinks_of(context, heads);
    const Tensor scores = wanted_scores(context, attention);
    Tensor wide = context.scratch(DType::f32, {batch, sequence, heads * size});
    attention.run(context, wide.mutable_data<float>().data());
    set_result(context, 0, wide, query.dtype());
    if (scores) set_result(context, 3, scores, query.dtype());
}

}  // namespace lapidary::reference
