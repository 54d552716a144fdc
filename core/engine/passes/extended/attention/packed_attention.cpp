// SPDX-License-Identifier: Apache-2.0
// com.microsoft::Attention: the projections of Q, K and V packed into one.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "rewrite/constant_math.h"
#include "passes/extended/attention/attention_site.h"

namespace lapidary::attention {
namespace {

/// Rows of W in order, columns as each branch reads them, side by side.
Tensor packed_weight(const std::vector<const Branch*>& parts) {
    const Projection& first = parts[0]->projection;
    const std::int64_t rows = first.weight->dim(first.transposed ? 1 : 0);
    std::int64_t width = 0;
    for (const Branch* b : parts) width += static_cast<std::int64_t>(b->projection.columns.size());
    Tensor out(first.weight->dtype(), {rows, width});
    auto* to = static_cast<std::byte*>(out.mutable_raw());
    const std::size_t size =
        out.byte_size() / static_cast<std::size_t>(std::max<std::int64_t>(1, out.size()));
    std::int64_t begin = 0;
    for (const Branch* b : parts) {
        const Projection& p = b->projection;
        const Tensor scaled =
            p.alpha == 1 ? *p.weight : mapped(*p.weight, [&](double w) { return w * p.alpha; });
        const auto* from = scaled.bytes().data();
        const std::int64_t width_of = p.weight->dim(1);
        // neighbouring columns: first, how many
        std::vector<std::pair<std::size_t, std::size_t>> runs;
        for (std::size_t c = 0; c < p.columns.size(); ++c) {
            const bool follows = !p.transposed && c > 0 && p.columns[c] == p.columns[c - 1] + 1;
            if (follows) ++runs.back().second;
            else runs.emplace_back(c, 1);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            auto* row = to + static_cast<std::size_t>(r * width + begin) * size;
            for (const auto& [c, count] : runs) {
                const std::int64_t place =
                    p.transposed ? p.columns[c] * width_of + r : r * width_of + p.columns[c];
                std::memcpy(row + c * size, from + static_cast<std::size_t>(place) * size,
                            count * size);
            }
        }
        begin += static_cast<std::int64_t>(p.columns.size());
    }
    return out;
}

/// The weights are one constant already in the order of the operator.
bool is_packed_already(const std::vector<const Branch*>& parts) {
    std::int64_t next = 0;
    for (const Branch* b : parts) {
        const Projection& p = b->projection;
        if (p.product != parts[0]->projection.product || p.transposed || p.alpha != 1) return false;
        for (std::int64_t c : p.columns)
            if (c != next++) return false;
    }
    return next == parts[0]->projection.weight->dim(1);
}

std::string packing_problem(PassContext& context, const AttentionSite& site,
                            const std::vector<const Branch*>& parts) {
    const Scope& scope = context.scope();
    for (const Branch* b : parts) {
        if (!b->has_projection)
            return "the " + b->name + " branch is no product with constant weights";
        if (!b->projection.source) return b->projection.problem;
    }
    const Projection& q = site.query.projection;
    for (const Branch* b : parts) {
        if (b->projection.source == q.source) continue;
        return "Q is projected from \"" + scope.value(q.source).name + "\" and " + b->name +
               " from \"" + scope.value(b->projection.source).name + "\"";
    }
    if (scope.dtype(q.source) != site.dtype)
        return "the projected value has another element type than the scores";
    std::vector<ValueId> masks;
    if (site.mask.keys) masks.push_back(site.mask.keys->value);
    for (const MaskTerm& term : site.mask.biases) masks.push_back(term.value);
    for (ValueId mask : masks)
        for (const Branch* b : parts)
            if (depends_on(scope, mask, {b->projection.product}))
                return "the mask \"" + scope.value(mask).name +
                       "\" is computed from the projection of " + b->name + " (its shape)";
    const Branch &k = site.key, &v = site.value;
    if (!k.join) return {};
    if (!site.mask.biases.empty())
        return "Attention takes no cache together with a mask that is neither a triangle nor 0 and "
               "1 per key";
    if (!k.packed_past || k.packed_past != v.packed_past || k.half != 0 || v.half != 1)
        return "the cached keys and values are not the two halves of one value [2, batch, heads, "
               "rows, items]";
    if (k.size != v.size)
        return "with a cache keys and values must be of one size, found " + std::to_string(k.size) +
               " and " + std::to_string(v.size);
    return {};
}

}  // namespace

Outcome fuse_packed(PassContext& context, const AttentionSite& site) {
    const Scope& scope = context.scope();
    const std::vector<const Branch*> parts{&site.query, &site.key, &site.value};
    if (std::string problem = packing_problem(context, site, parts); !problem.empty())
        return declined(std::move(problem));
    const NodeId present =
        site.key.size == site.value.size ? packed_present(context, site.key, site.value) : NodeId();
    std::vector<NodeId> removed{site.root};
    if (present) removed.push_back(present);
    const std::set<NodeId> unneeded = unneeded_without(context.graph(), removed);
    for (const auto& [node, what] :
         {std::pair(site.softmax, "the attention probabilities are"),
          std::pair(site.scores.product, "the product of queries and keys is"),
          std::pair(site.query.projection.product, "the projection of Q is"),
          std::pair(site.key.projection.product, "the projection of K is"),
          std::pair(site.value.projection.product, "the projection of V is")})
        if (std::string problem = remaining_reader(scope, unneeded, node, what); !problem.empty())
            return declined(std::move(problem));

    const Projection& q = site.query.projection;
    std::vector<Attribute> attributes{attr("num_heads", site.sizes.heads)};
    std::vector<ValueId> inputs(6);
    inputs[0] = q.source;
    const Node& product = scope.node(q.product);
    inputs[1] =
        is_packed_already(parts)
            ? product.inputs[1]
            : context.constant(scope.value(product.inputs[1]).name + "_qkv", packed_weight(parts));
    // zeros if there is none: ONNX Runtime's kernel always reads it
    std::vector<double> bias;
    for (const Branch* b : parts) {
        std::vector<double> row = b->projection.bias;
        row.resize(b->projection.columns.size(), 0.0);
        bias.insert(bias.end(), row.begin(), row.end());
    }
    inputs[2] = context.constant(
        scope.value(product.inputs[1]).name + "_qkv_bias",
        tensor_of_doubles(site.dtype, {static_cast<std::int64_t>(bias.size())}, bias));
    std::string remark =
        "projections and " + std::to_string(site.sizes.heads) + " heads became Attention";
    if (site.mask.keys) {
        inputs[3] = make_key_mask(context, *site.mask.keys);
        attributes.push_back(attr("mask_filter_value", static_cast<float>(site.mask.keys->filler)));
    }
    if (site.key.join) inputs[4] = site.key.packed_past;
    inputs[5] = make_bias(context, site.mask, site.sizes, q.source, site.dtype);
    if (site.mask.causal) attributes.push_back(attr("unidirectional", 1));
    if (site.key.size != site.value.size) {
        const std::int64_t keys = site.sizes.heads * site.key.size;
        attributes.push_back(
            attr("qkv_hidden_sizes",
                 std::vector<std::int64_t>{keys, keys, site.sizes.heads * site.value.size}));
    }
    if (std::abs(site.scale() * std::sqrt(static_cast<double>(site.key.size)) - 1) > 1e-5)
        attributes.push_back(attr("scale", static_cast<float>(site.scale())));
    std::vector<NodeId> extra;
    if (present) extra.push_back(present);
    write_attention(context, site, "Attention", inputs, std::move(attributes), extra,
                    site.key.join && !present, {unneeded.begin(), unneeded.end()});
    return applied(std::move(remark));
}

}  // namespace lapidary::attention
