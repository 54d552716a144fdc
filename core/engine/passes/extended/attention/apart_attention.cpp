// SPDX-License-Identifier: Apache-2.0
// com.microsoft::MultiHeadAttention: the projections stay where they are.
#include <cmath>

#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/attention_site.h"

namespace lapidary::attention {
namespace {

double factor_of(const Branch& b) { return b.flat ? b.flat_scale : b.split_scale; }

std::string form_problem(const AttentionSite& site) {
    for (const Branch* b : {&site.query, &site.key, &site.value}) {
        if (!b->flat && !b->split)
            return "the heads of " + b->name +
                   " do not lie side by side as [batch, rows, heads x items] before they are split";
        if (b->join && factor_of(*b) != b->scale_at_join)
            return "the new rows of " + b->name + " are scaled before they join the cached ones";
    }
    if (factor_of(site.value) != 1) return "the values are scaled";
    if (!site.key.join) {
        if (site.mask.causal && !surely_equal(site.sizes.keys, site.sizes.queries))
            return "the triangular mask is over " + to_string(site.sizes.queries) +
                   " queries and " + to_string(site.sizes.keys) + " keys without a cache";
        return {};
    }
    if (!site.key.past || !site.value.past)
        return "the cached rows do not lie as [batch, heads, rows, items]";
    if (site.key.all_rows.empty() || site.value.all_rows.empty())
        return "cached and new rows are joined in another order than [batch, heads, rows, items]";
    return {};
}

ValueId side_by_side(PassContext& context, const Branch& b) {
    if (b.flat) return b.flat;
    return context.node(
        "Reshape", {b.split, context.constant_ints("heads_together", {0, 0, b.heads * b.size})});
}

}  // namespace

Outcome fuse_apart(PassContext& context, const AttentionSite& site) {
    const Scope& scope = context.scope();
    if (std::string problem = form_problem(site); !problem.empty())
        return declined(std::move(problem));
    std::vector<NodeId> removed{site.root}, extra;
    if (site.key.join) extra = {site.key.join, site.value.join};
    removed.insert(removed.end(), extra.begin(), extra.end());
    const std::set<NodeId> unneeded = unneeded_without(context.graph(), removed);
    for (const auto& [node, what] :
         {std::pair(site.softmax, "the attention probabilities are"),
          std::pair(site.scores.product, "the product of queries and keys is")})
        if (std::string problem = remaining_reader(scope, unneeded, node, what); !problem.empty())
            return declined(std::move(problem));

    std::vector<Attribute> attributes{attr("num_heads", site.sizes.heads)};
    std::vector<ValueId> inputs(8);
    inputs[0] = side_by_side(context, site.query);
    inputs[1] = side_by_side(context, site.key);
    inputs[2] = side_by_side(context, site.value);
    if (site.mask.keys) {
        inputs[4] = make_key_mask(context, *site.mask.keys);
        attributes.push_back(attr("mask_filter_value", static_cast<float>(site.mask.keys->filler)));
    }
    inputs[5] = make_bias(context, site.mask, site.sizes, inputs[0], site.dtype);
    if (site.key.join) {
        inputs[6] = site.key.past;
        inputs[7] = site.value.past;
    }
    if (site.mask.causal) attributes.push_back(attr("unidirectional", 1));
    const double scale = site.scores.scale * factor_of(site.query) * factor_of(site.key);
    if (std::abs(scale * std::sqrt(static_cast<double>(site.key.size)) - 1) > 1e-5)
        attributes.push_back(attr("scale", static_cast<float>(scale)));
    write_attention(context, site, "MultiHeadAttention", inputs, std::move(attributes), extra,
                    false, {unneeded.begin(), unneeded.end()});
    return applied(std::to_string(site.sizes.heads) + " heads became MultiHeadAttention");
}

}  // namespace lapidary::attention
