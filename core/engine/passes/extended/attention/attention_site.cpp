// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/attention_site.h"

#include <algorithm>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary::attention {
namespace {

/// The product of probabilities and values, or null.
const Node* context_product(const Scope& scope, const Node& softmax) {
    const Value& probabilities = scope.value(softmax.outputs[0]);
    for (const Use& use : probabilities.uses) {
        const Node& node = scope.node(use.node);
        if (use.input == 0 && ((node.op_type == "MatMul" && node.domain.empty()) ||
                               (node.op_type == "FusedMatMul" && node.domain == "com.microsoft")))
            return &node;
    }
    return nullptr;
}

/// Why the masks cannot be inputs of the operator: they depend on values that it replaces or
/// writes.
std::string mask_problem(const Scope& scope, const AttentionSite& s) {
    std::vector<NodeId> own{s.scores.product};
    for (NodeId join : {s.key.join, s.value.join})
        if (join) own.push_back(join);
    std::vector<ValueId> values;
    if (s.mask.keys) values.push_back(s.mask.keys->value);
    for (const MaskTerm& term : s.mask.biases) values.push_back(term.value);
    for (ValueId v : values)
        if (depends_on(scope, v, own))
            return "the mask \"" + scope.value(v).name +
                   "\" is computed from the scores or the joined cache (their shape)";
    return {};
}

std::string sizes_problem(const AttentionSite& s) {
    const auto differ = [](const Branch& a, const Branch& b, const std::string& what,
                           const std::string& x, const std::string& y) {
        return a.name + " has " + what + " " + x + " and " + b.name + " " + y;
    };
    if (s.query.heads != s.key.heads)
        return differ(s.query, s.key, "heads", std::to_string(s.query.heads),
                      std::to_string(s.key.heads));
    if (s.query.heads != s.value.heads)
        return differ(s.query, s.value, "heads", std::to_string(s.query.heads),
                      std::to_string(s.value.heads));
    if (s.query.size != s.key.size)
        return differ(s.query, s.key, "head size", std::to_string(s.query.size),
                      std::to_string(s.key.size));
    if (!surely_equal(s.query.batch, s.key.batch))
        return differ(s.query, s.key, "batch", to_string(s.query.batch), to_string(s.key.batch));
    if (!surely_equal(s.query.batch, s.value.batch))
        return differ(s.query, s.value, "batch", to_string(s.query.batch),
                      to_string(s.value.batch));
    if (s.key.join.index != s.value.join.index) {
        if (!s.key.join || !s.value.join) return "only one of keys and values has cached rows";
    }
    if (s.value.scale != 1) return "the values are scaled";
    return {};
}

}  // namespace

bool depends_on(const Scope& scope, ValueId value, const std::vector<NodeId>& nodes) {
    std::vector<ValueId> work{value};
    std::set<NodeId> seen;
    while (!work.empty()) {
        const Node* node = scope.producer(work.back());
        work.pop_back();
        if (!node || !seen.insert(node->id).second) continue;
        if (std::ranges::find(nodes, node->id) != nodes.end()) return true;
        work.insert(work.end(), node->inputs.begin(), node->inputs.end());
        work.insert(work.end(), node->captures.begin(), node->captures.end());
    }
    return false;
}

std::set<NodeId> unneeded_without(const Graph& graph, const std::vector<NodeId>& removed) {
    std::set<NodeId> unneeded(removed.begin(), removed.end());
    std::vector<NodeId> work = removed;
    while (!work.empty()) {
        const NodeId id = work.back();
        work.pop_back();
        for (ValueId input : graph.node(id).inputs) {
            if (!input) continue;
            const Value& v = graph.value(input);
            if (v.kind != ValueKind::node_output || unneeded.contains(v.producer)) continue;
            const bool unused =
                std::ranges::all_of(graph.node(v.producer).outputs, [&](ValueId out) {
                    if (!out) return true;
                    const Value& o = graph.value(out);
                    return o.output_uses == 0 && o.captured_by.empty() &&
                           std::ranges::all_of(
                               o.uses, [&](const Use& use) { return unneeded.contains(use.node); });
                });
            if (!unused) continue;
            unneeded.insert(v.producer);
            work.push_back(v.producer);
        }
    }
    return unneeded;
}

std::string remaining_reader(const Scope& scope, const std::set<NodeId>& unneeded, NodeId node,
                             const std::string& what) {
    if (unneeded.contains(node)) return {};
    // Follows readers that belong to the attention, down to the first that does not.
    std::vector<NodeId> work{node};
    std::set<NodeId> seen{node};
    while (!work.empty()) {
        const NodeId id = work.back();
        work.pop_back();
        for (ValueId output : scope.node(id).outputs) {
            if (!output) continue;
            const Value& v = scope.value(output);
            if (v.output_uses > 0)
                return what + " also needed for the graph output \"" + v.name + "\"";
            if (!v.captured_by.empty())
                return what + " also read in a subgraph of " +
                       scope.node(v.captured_by[0]).describe();
            for (const Use& use : v.uses) {
                if (unneeded.contains(use.node) || !seen.insert(use.node).second) continue;
                const Node& reader = scope.node(use.node);
                const bool leads_in = std::ranges::any_of(reader.outputs, [&](ValueId out) {
                    return out && std::ranges::any_of(scope.value(out).uses, [&](const Use& next) {
                               return unneeded.contains(next.node);
                           });
                });
                if (!leads_in) return what + " also read by " + reader.describe();
                work.push_back(use.node);
            }
        }
    }
    return what + " also read elsewhere";
}

std::optional<AttentionSite> find_attention(PassContext& context, const Node& softmax,
                                            std::string& problem) {
    const Scope& scope = context.scope();
    if (!is_score_softmax(scope, softmax)) return std::nullopt;
    const Node* product = context_product(scope, softmax);
    if (!product) return std::nullopt;
    AttentionSite site;
    site.softmax = softmax.id;
    site.context_product = product->id;
    site.dtype = scope.dtype(softmax.outputs[0]);
    if (!find_scores(scope, softmax, site.scores, problem)) return std::nullopt;
    const auto refuse = [&](std::string why) {
        problem = std::move(why);
        return std::nullopt;
    };
    if (!problem.empty()) return std::nullopt;
    if (product->op_type == "FusedMatMul" && (product->int_attribute("transA", 0) != 0 ||
                                              product->int_attribute("transBatchA", 0) != 0 ||
                                              product->int_attribute("transBatchB", 0) != 0 ||
                                              product->float_attribute("alpha", 1.0f) != 1.0f))
        return refuse(product->describe() + " scales its result or transposes the probabilities");
    const bool value_swapped =
        product->op_type == "FusedMatMul" && product->int_attribute("transB", 0) != 0;
    if (site.dtype != DType::f32 && !(site.dtype == DType::f16 && scope.provider != "cpu"))
        return refuse("the element type is " + std::string(name_of(site.dtype)) +
                      ", attention on " + scope.provider + " needs f32");
    if (std::string why =
            follow_branch(context, site.scores.query, site.scores.query_swapped, site.query);
        !why.empty())
        return refuse(std::move(why));
    if (std::string why =
            follow_branch(context, site.scores.key, site.scores.key_swapped, site.key);
        !why.empty())
        return refuse(std::move(why));
    if (std::string why = follow_branch(context, product->inputs[1], value_swapped, site.value);
        !why.empty())
        return refuse(std::move(why));
    if (std::string why = sizes_problem(site); !why.empty()) return refuse(std::move(why));
    const auto& keys = scope.type(scope.node(site.scores.product).outputs[0]).shape;
    if (!keys) return refuse("the rank of the scores is not known");
    site.sizes = {site.query.batch, site.query.rows, keys->back(), site.query.heads};
    if (site.sizes.keys.is_unknown()) return refuse("the number of keys is not known");
    if (std::string why = read_masks(context, site.scores, site.sizes, site.dtype, site.mask);
        !why.empty())
        return refuse(std::move(why));
    if (std::string why = mask_problem(scope, site); !why.empty()) return refuse(std::move(why));
    if (std::string why = find_root(context, site); !why.empty()) return refuse(std::move(why));
    return site;
}

}  // namespace lapidary::attention
