// SPDX-License-Identifier: Apache-2.0
// Attention and RotaryEmbedding, which came with opset 23.
#include <cmath>
#include <limits>
#include <optional>

#include "passes/axis_arguments.h"
#include "passes/lowering/attention_core.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/step_nodes.h"

namespace lapidary::opset {
namespace {

using lowering::input_of;
using lowering::PlainNodes;

/// Attention over heads of [batch, heads, rows, size].
struct HeadsOfAttention {
    ValueId q, k, v;  // of the node; past rows included in k and v once the nodes are built
    std::int64_t heads = 0, key_heads = 0;
    std::int64_t size = 0, value_size = 0;  // of a head
    bool is_split = false;                  // the inputs have a dimension for heads
    DType type = DType::undefined, wide = DType::undefined;
};

Dim dim_at(const PassContext& context, ValueId value, std::int64_t axis) {
    const Type& type = context.scope().type(value);
    const int rank = context.scope().rank(value);
    const auto at = axis_from_front(axis, rank);
    return at ? (*type.shape)[static_cast<std::size_t>(*at)] : Dim();
}

/// Why the sizes of heads are not known; empty: they are in `found`.
std::string read_heads(const Node& node, const PassContext& context, HeadsOfAttention& found) {
    const Scope& scope = context.scope();
    found.q = node.inputs.at(0), found.k = node.inputs.at(1), found.v = node.inputs.at(2);
    found.type = scope.dtype(found.q);
    found.wide = found.type == DType::f64 ? DType::f64 : DType::f32;
    if (!is_float(found.type)) return "the element type of its input is not known";
    const int rank = scope.rank(found.q);
    if (rank != 3 && rank != 4) return "the rank of its input is not known";
    found.is_split = rank == 4;
    found.heads = rank == 4 ? scope.dim(found.q, 1) : node.int_attribute("q_num_heads", 0);
    found.key_heads = rank == 4 ? scope.dim(found.k, 1) : node.int_attribute("kv_num_heads", 0);
    if (found.heads < 1 || found.key_heads < 1 || found.heads % found.key_heads != 0)
        return "the number of its heads is not known";
    const auto size_of = [&](ValueId value, std::int64_t heads) {
        const std::int64_t width = scope.dim(value, -1);
        return rank == 4 ? width : width < 0 ? -1 : width / heads;
    };
    found.size = size_of(found.q, found.heads);
    found.value_size = size_of(found.v, found.key_heads);
    if (found.size < 1 || found.value_size < 1) return "the size of its heads is not known";
    return {};
}

/// Why the mask or the causal order cannot be written; empty: they can.
std::string mask_problem(const Node& node, const PassContext& context,
                         const HeadsOfAttention& heads) {
    const ValueId mask = input_of(node, 3), past = input_of(node, 4);
    const bool is_causal = node.int_attribute("is_causal", 0) != 0;
    if (is_causal && past) return "it looks back over past keys and is causal";
    if (!mask) return {};
    const Dim columns = dim_at(context, mask, -1);
    const Dim fresh = dim_at(context, heads.k, heads.is_split ? 2 : 1);
    if (past) {
        const Dim before = dim_at(context, past, 2);
        if (columns.is_known() && fresh.is_known() && before.is_known() &&
            columns.value() == fresh.value() + before.value())
            return {};
    } else if (!columns.is_unknown() && columns == fresh) {
        return {};
    }
    return "its mask is not known to be as long as its keys";
}

/// Keys that queries see by their order, [queries, keys].
ValueId earlier_keys(PlainNodes& plain, PassContext& context, ValueId q, ValueId k) {
    const std::int64_t rows = context.scope().dim(q, 2), columns = context.scope().dim(k, 2);
    constexpr std::int64_t most = 1 << 24;
    if (rows > 0 && columns > 0 && columns <= most / rows) {
        Tensor mask(DType::boolean, {rows, columns});
        const std::span<bool> sees = mask.mutable_data<bool>();
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                sees[static_cast<std::size_t>(i * columns + j)] = j <= i;
        return context.constant("Attention_order", std::move(mask));
    }
    const ValueId zero = plain.scalar_i64(0);
    const ValueId queries = plain.unsqueeze(plain.range(zero, plain.dim_scalar(q, 2)), {1});
    const ValueId keys = plain.range(zero, plain.dim_scalar(k, 2));
    return plain.op("Not", {plain.op("Greater", {keys, queries})});
}

/// Each head of keys or values as often as queries share it.
ValueId shared_heads(PlainNodes& plain, ValueId x, const HeadsOfAttention& heads,
                     std::int64_t size) {
    if (heads.heads == heads.key_heads) return x;
    const std::vector<ValueId> copies(static_cast<std::size_t>(heads.heads / heads.key_heads),
                                      plain.unsqueeze(x, {2}));
    return plain.reshape(plain.concat(copies, 2), {0, heads.heads, -1, size});
}

/// Softmax of the scores over the keys that are seen; zeros where none is.
ValueId weights_of_keys(PlainNodes& plain, const Node& node, PassContext& context, ValueId q,
                        ValueId k, ValueId scores, DType wide) {
    ValueId visible;
    if (const ValueId mask = input_of(node, 3)) {
        if (plain.dtype(mask) == DType::boolean) {
            visible = mask;
        } else {
            const ValueId added = plain.cast(mask, wide);
            scores = plain.add(scores, added);
            const double hidden = -std::numeric_limits<double>::infinity();
            visible = plain.op("Greater", {added, plain.scalar(wide, hidden)});
        }
    }
    if (node.int_attribute("is_causal", 0) != 0) {
        const ValueId earlier = earlier_keys(plain, context, q, k);
        visible = visible ? plain.op("And", {visible, earlier}) : earlier;
    }
    if (!visible) return plain.softmax_last(scores, 4);
    const double least = wide == DType::f64
                             ? std::numeric_limits<double>::lowest()
                             : static_cast<double>(std::numeric_limits<float>::lowest());
    const ValueId kept = plain.op("Where", {visible, scores, plain.scalar(wide, least)});
    return plain.op("Where", {visible, plain.softmax_last(kept, 4), plain.scalar(wide, 0)});
}

}  // namespace

Outcome attention_before_23(const Node& node, PassContext& context) {
    HeadsOfAttention heads;
    if (wants_outputs_from(node, context, 3)) return declined("its scores are read");
    if (std::string problem = read_heads(node, context, heads); !problem.empty())
        return declined(std::move(problem));
    if (std::string problem = mask_problem(node, context, heads); !problem.empty())
        return declined(std::move(problem));
    PlainNodes plain(node, context);
    const auto split = [&](ValueId x, std::int64_t count, std::int64_t size) {
        if (heads.is_split) return x;
        return plain.transpose(plain.reshape(x, {0, 0, count, size}), {0, 2, 1, 3});
    };
    const auto with_past = [&](ValueId x, std::size_t past) {
        const ValueId before = input_of(node, past);
        return before ? plain.concat({before, x}, 2) : x;
    };
    const ValueId q = plain.cast(split(heads.q, heads.heads, heads.size), heads.wide);
    const ValueId all_keys = with_past(split(heads.k, heads.key_heads, heads.size), 4),
                  all_values = with_past(split(heads.v, heads.key_heads, heads.value_size), 5);
    const ValueId k = shared_heads(plain, plain.cast(all_keys, heads.wide), heads, heads.size),
                  v = shared_heads(plain, plain.cast(all_values, heads.wide), heads,
                                   heads.value_size);
    const double scale = node.has_attribute("scale")
                             ? static_cast<double>(node.float_attribute("scale", 1))
                             : 1 / std::sqrt(static_cast<double>(heads.size));
    ValueId scores = plain.mul(plain.matmul(q, plain.transpose(k, {0, 1, 3, 2})), scale);
    if (const auto cap = static_cast<double>(node.float_attribute("softcap", 0)); cap > 0)
        scores = plain.mul(plain.op("Tanh", {plain.mul(scores, 1 / cap)}), cap);
    ValueId y = plain.matmul(weights_of_keys(plain, node, context, q, k, scores, heads.wide), v);
    if (!heads.is_split) y = plain.reshape(plain.transpose(y, {0, 2, 1, 3}), {0, 0, -1});
    return plain.finish(
        {plain.cast(y, heads.type), lowering::is_wanted(context, node, 1) ? all_keys : ValueId{},
         lowering::is_wanted(context, node, 2) ? all_values : ValueId{}},
        "wrote out Attention");
}

Outcome rotary_embedding_before_23(const Node& node, PassContext& context) {
    const Scope& scope = context.scope();
    const ValueId x = node.inputs.at(0), ids = input_of(node, 3);
    const int rank = scope.rank(x);
    const std::int64_t half = scope.dim(node.inputs.at(1), -1),
                       heads = node.int_attribute("num_heads", 0);
    const DType type = scope.dtype(x), wide = type == DType::f64 ? DType::f64 : DType::f32;
    if (rank != 3 && rank != 4) return declined("the rank of its input is not known");
    if (!is_float(type)) return declined("the element type of its input is not known");
    if (rank == 3 && heads < 1) return declined("the number of its heads is not known");
    std::int64_t size = scope.dim(x, -1);
    if (rank == 3 && size > 0) size /= heads;
    if (half < 1 || size < 2 * half) return declined("the size of its heads is not known");
    PlainNodes plain(node, context);
    // [batch, rows, heads, size]
    const ValueId heads_last = rank == 4 ? plain.transpose(plain.cast(x, wide), {0, 2, 1, 3})
                                         : plain.reshape(plain.cast(x, wide), {0, 0, -1, size});
    const auto rows = [&](ValueId table) {
        const ValueId widened = plain.cast(table, wide);
        return plain.unsqueeze(ids ? plain.gather(widened, ids, 0) : widened, {2});
    };
    const ValueId cosine = rows(node.inputs.at(1)), sine = rows(node.inputs.at(2));
    ValueId y = lowering::rotate_pairs(plain, heads_last, cosine, sine, half, size,
                                       node.int_attribute("interleaved", 0) != 0);
    y = rank == 4 ? plain.transpose(y, {0, 2, 1, 3}) : plain.reshape(y, {0, 0, -1});
    return plain.finish({plain.cast(y, type)}, "wrote out RotaryEmbedding");
}

}  // namespace lapidary::opset
