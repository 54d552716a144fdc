// SPDX-License-Identifier: Apache-2.0
// GroupQueryAttention of com.microsoft: its cache, whose sequences may be of different lengths, its
// rotation and its softmax in ONNX operators.
#include <cmath>
#include <limits>

#include "passes/lowering/attention_core.h"
#include "passes/lowering/lowering.h"

namespace lapidary::lowering {
namespace {

constexpr std::int64_t gathered_opset = 12;  // GatherND by batch

/// Why the node cannot be expanded; empty: it can.
std::string problem_of(const Node& node, const PassContext& context) {
    if (context.opset() < gathered_opset)
        return "its cache needs GatherND by batch, which opset 12 has; the model has " +
               std::to_string(context.opset());
    const std::int64_t heads = node.int_attribute("num_heads", 0),
                       key_heads = node.int_attribute("kv_num_heads", 0);
    if (heads < 1 || key_heads < 1 || heads % key_heads != 0)
        return "its attributes num_heads and kv_num_heads do not fit";
    for (const char* name : {"k_quant_type", "v_quant_type"})
        if (node.string_attribute(name, "NONE") != "NONE")
            return "its cache is quantized (" + std::string(name) + ")";
    if (node.int_attribute("sliding_window_cache", 0) != 0)
        return "its cache holds a sliding window (sliding_window_cache)";
    if (is_wanted(context, node, 3)) return "its attention scores are read";
    if (input_of(node, 16)) return "it has an input query_seqlens";
    return {};
}

/// Shared by all parts of the expansion.
struct Grouped {
    const Node& node;
    PlainNodes& plain;
    std::int64_t heads, key_heads, size;
    ValueId lengths;          // i64[B]: keys of each sequence
    ValueId past;             // i64[B]: those before the new ones
    ValueId positions;        // i64[B,S]: of the new ones
    ValueId sequence, total;  // i64 scalars
};

/// At most `limit`, for i64.
ValueId at_most(PlainNodes& plain, ValueId x, ValueId limit) {
    return plain.op("Where", {plain.op("Less", {x, limit}), x, limit});
}

ValueId rotated(const Grouped& g, ValueId x, std::int64_t half) {
    PlainNodes& plain = g.plain;
    const ValueId cosine = input_of(g.node, 7), sine = input_of(g.node, 8),
                  given = input_of(g.node, 9);
    const ValueId last =
        // queries behind a shorter sequence are padding
        plain.sub(plain.dim_scalar(cosine, 0), plain.scalar_i64(1));
    const ValueId ids = at_most(plain, given ? given : g.positions, last);
    const auto rows = [&](ValueId table) {
        return plain.unsqueeze(plain.gather(plain.cast(table, DType::f32), ids, 0), {1});
    };
    return rotate_pairs(plain, x, rows(cosine), rows(sine), half, g.size,
                        g.node.int_attribute("rotary_interleaved", 0) != 0);
}

/// [B, heads, S, size] of some columns of [B, S, ...], normalized and rotated where the node does
/// so.
ValueId prepared(const Grouped& g, ValueId x, std::int64_t heads, ValueId norm,
                 const char* own_epsilon, std::int64_t half) {
    ValueId y = split_heads(g.plain, x, heads);
    if (norm) {
        const float epsilon =
            g.node.float_attribute(own_epsilon, g.node.float_attribute("qk_norm_epsilon", 1e-6f));
        y = g.plain.normalize(y, g.plain.cast(norm, DType::f32), {}, -1, 4,
                              static_cast<double>(epsilon), true);
    }
    return half > 0 ? rotated(g, y, half) : y;
}

/// Past rows of each sequence, its new ones behind them, zeros up to the longest: [B, heads, rows,
/// size].
ValueId joined(const Grouped& g, ValueId past, ValueId fresh) {
    PlainNodes& plain = g.plain;
    if (!past) return fresh;
    const ValueId one = plain.scalar_i64(1), capacity = plain.dim_scalar(past, 2),
                  all = plain.add(capacity, g.sequence);
    const ValueId zeros =
        plain.mul(plain.op("Slice", {fresh, plain.ints({0}), plain.ints({1}), plain.ints({2})}),
                  plain.scalar(DType::f32, 0));
    const ValueId source = plain.transpose(
        plain.concat({plain.cast(past, DType::f32), fresh, zeros}, 2), {0, 2, 1, 3});
    const ValueId rows =
        plain.op("Where", {plain.op("Less", {capacity, g.total}), g.total, capacity});
    const ValueId row = plain.range(plain.scalar_i64(0), rows),
                  before = plain.unsqueeze(g.past, {1});
    const ValueId fresh_at = plain.add(plain.sub(row, before), capacity);
    const ValueId beyond = plain.op("Less", {plain.sub(all, one), fresh_at});
    const ValueId index = plain.op("Where", {plain.op("Less", {row, before}), row,
                                             plain.op("Where", {beyond, all, fresh_at})});
    return plain.transpose(
        plain.op("GatherND", {source, plain.unsqueeze(index, {2})}, {attr("batch_dims", 1)}),
        {0, 2, 1, 3});
}

/// Each head of keys or values as often as queries share it, the rows up to the total length.
ValueId shared(const Grouped& g, ValueId x) {
    PlainNodes& plain = g.plain;
    x = plain.op("Slice", {x, plain.ints({0}), plain.unsqueeze(g.total, {0}), plain.ints({2})});
    if (g.heads == g.key_heads) return x;
    const ValueId often = plain.op(
        "Expand", {plain.unsqueeze(x, {2}), plain.ints({1, 1, g.heads / g.key_heads, 1, 1})});
    return plain.reshape(often, {0, g.heads, -1, g.size});
}

/// bool [B, S or 1, T]: the keys that each query sees.
ValueId visible_keys(const Grouped& g) {
    PlainNodes& plain = g.plain;
    const bool causal = g.node.int_attribute("causal", 1) != 0;
    const ValueId end = causal ? plain.unsqueeze(plain.add(g.positions, plain.scalar_i64(1)), {2})
                               : plain.unsqueeze(g.lengths, {1, 2});
    const ValueId keys = plain.range(plain.scalar_i64(0), g.total);
    const ValueId early = plain.op("Less", {keys, end});
    const std::int64_t window = g.node.int_attribute("local_window_size", -1);
    if (window <= 0) return early;
    return plain.op(
        "And",
        {early,
         plain.op("Not", {plain.op("Less", {keys, plain.sub(end, plain.scalar_i64(window))})})});
}

ValueId softmax(const Grouped& g, ValueId scores, ValueId queries) {
    PlainNodes& plain = g.plain;
    ValueId sink = input_of(g.node, 11);
    if (!sink && g.node.int_attribute("smooth_softmax", 0) != 1)
        return plain.softmax_last(scores, 4);
    const ValueId column = plain.concat({plain.dim_of(queries, 0), plain.ints({g.heads}),
                                         plain.dim_of(queries, 2), plain.ints({1})},
                                        0);
    const ValueId values = sink ? plain.reshape(plain.cast(sink, DType::f32), {g.heads, 1, 1})
                                : plain.scalar(DType::f32, 0);
    const ValueId weights =
        plain.softmax_last(plain.concat({scores, plain.op("Expand", {values, column})}, 3), 4);
    return plain.op("Slice",
                    {weights, plain.ints({0}), plain.unsqueeze(g.total, {0}), plain.ints({3})});
}

ValueId attended(const Grouped& g, ValueId q, ValueId k, ValueId v) {
    PlainNodes& plain = g.plain;
    const float given = g.node.float_attribute("scale", 0.0f);
    const double scale =
        given != 0 ? static_cast<double>(given) : 1 / std::sqrt(static_cast<double>(g.size));
    ValueId scores = plain.mul(plain.matmul(q, plain.transpose(shared(g, k), {0, 1, 3, 2})), scale);
    if (const auto cap = static_cast<double>(g.node.float_attribute("softcap", 0.0f)); cap > 0)
        scores = plain.mul(plain.op("Tanh", {plain.mul(scores, 1 / cap)}), cap);
    if (const ValueId bias = input_of(g.node, 10))
        scores = plain.add(scores, plain.cast(bias, DType::f32));
    const ValueId hidden = plain.scalar(DType::f32, -std::numeric_limits<double>::infinity());
    scores = plain.op("Where", {plain.unsqueeze(visible_keys(g), {1}), scores, hidden});
    const ValueId heads = plain.matmul(softmax(g, scores, q), shared(g, v));
    return plain.reshape(plain.transpose(heads, {0, 2, 1, 3}), {0, 0, g.heads * g.size});
}

/// i64 scalar of a tensor with one element.
ValueId scalar_of(PlainNodes& plain, ValueId x) {
    return plain.squeeze(plain.reshape(plain.cast(x, DType::i64), {1}), {0});
}

}  // namespace

Outcome group_query_attention(const Node& node, PassContext& context) {
    if (std::string problem = problem_of(node, context); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const Scope& scope = context.scope();
    const ValueId query = node.inputs.at(0);
    const bool packed = !input_of(node, 1);
    const std::int64_t heads = node.int_attribute("num_heads", 0),
                       key_heads = node.int_attribute("kv_num_heads", 0);
    const std::int64_t columns = packed ? heads + 2 * key_heads : heads,
                       width = scope.dim(query, 2);
    if (width < 1 || width % columns != 0) return declined("the size of its heads is not known");
    const std::int64_t size = width / columns;
    const bool rotates = node.int_attribute("do_rotary", 0) != 0;
    const std::int64_t half = rotates ? scope.dim(input_of(node, 7), 1) : 0;
    if (rotates && (half < 1 || 2 * half > size))
        return declined("the width of its tables is not known or beyond its heads");

    const DType type = plain.dtype(query);
    const ValueId rows = plain.cast(query, DType::f32);
    const auto part = [&](std::int64_t begin, std::int64_t count) {
        return plain.slice(rows, 2, begin * size, (begin + count) * size);
    };
    const ValueId q_rows = packed ? part(0, heads) : rows;
    const ValueId k_rows =
        packed ? part(heads, key_heads) : plain.cast(node.inputs.at(1), DType::f32);
    const ValueId v_rows =
        packed ? part(heads + key_heads, key_heads) : plain.cast(node.inputs.at(2), DType::f32);
    const ValueId one = plain.scalar_i64(1), zero = plain.scalar_i64(0);
    const ValueId sequence = plain.dim_scalar(query, 1),
                  total = scalar_of(plain, node.inputs.at(6));
    const ValueId lengths =
        plain.add(plain.reshape(plain.cast(node.inputs.at(5), DType::i64), {-1}), one);
    const ValueId past = plain.op(
        "Where", {plain.op("Equal", {sequence, total}), zero, plain.sub(lengths, sequence)});
    const ValueId positions = plain.add(plain.unsqueeze(past, {1}), plain.range(zero, sequence));
    const Grouped g{node, plain, heads, key_heads, size, lengths, past, positions, sequence, total};

    const ValueId q = prepared(g, q_rows, heads, input_of(node, 14), "q_norm_epsilon", half);
    const ValueId k =
        joined(g, input_of(node, 3),
               prepared(g, k_rows, key_heads, input_of(node, 15), "k_norm_epsilon", half));
    const ValueId v = joined(g, input_of(node, 4), split_heads(plain, v_rows, key_heads));
    const ValueId present_key = is_wanted(context, node, 1) ? plain.cast(k, type) : ValueId{};
    const ValueId present_value = is_wanted(context, node, 2) ? plain.cast(v, type) : ValueId{};
    return plain.finish({plain.cast(attended(g, q, k, v), type), present_key, present_value},
                        "wrote out GroupQueryAttention");
}

}  // namespace lapidary::lowering
