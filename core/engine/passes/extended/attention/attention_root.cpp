// SPDX-License-Identifier: Apache-2.0
// From the product with the values down to where the heads lie side by side, and the caches that go
// out.
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/attention_site.h"

namespace lapidary::attention {
namespace {

/// The only reader other than Shape nodes; none if there are several.
const Node* only_reader(const Scope& scope, ValueId value) {
    const Value& v = scope.value(value);
    if (v.output_uses > 0 || !v.captured_by.empty()) return nullptr;
    const Node* only = nullptr;
    for (const Use& use : v.uses) {
        const Node& node = scope.node(use.node);
        if (node.op_type == "Shape" && node.domain.empty()) continue;
        if (only || use.input != 0) return nullptr;
        only = &node;
    }
    return only;
}

/// The shape for a Reshape of the result. False: more than one dimension is symbolic.
bool constant_shape(const SymbolicShape& shape, std::vector<std::int64_t>& out) {
    out.clear();
    bool open = false;
    for (const Dim& d : shape) {
        if (!d.is_known() && std::exchange(open, true)) return false;
        if (d.is_known() && d.value() == 0) return false;
        out.push_back(d.is_known() ? d.value() : -1);
    }
    return true;
}

bool is_unsqueeze_of_first(PassContext& context, const Node& node) {
    if (node.op_type != "Unsqueeze" || !node.domain.empty()) return false;
    if (node.version < 13) return node.ints_attribute("axes") == std::vector<std::int64_t>{0};
    const auto axes = node.inputs.size() > 1 ? context.elements(node.inputs[1]) : std::nullopt;
    return axes && axes->size() == 1 && constant_of(axes->front()) == 0;
}

/// Applies a Transpose or a change of shape to the layout. False: the operator is neither, or does
/// not fit.
bool follow(const Scope& scope, const Node& node, HeadLayout& layout) {
    const std::string& op = node.op_type;
    if (op == "Transpose") {
        std::vector<std::int64_t> reversed(layout.axes().size());
        for (std::size_t i = 0; i < reversed.size(); ++i)
            reversed[i] = static_cast<std::int64_t>(reversed.size() - 1 - i);
        return layout.transpose(node.ints_attribute("perm", reversed));
    }
    if (op != "Reshape" && op != "Squeeze" && op != "Unsqueeze" && op != "Flatten") return false;
    const auto& to = scope.type(node.outputs[0]).shape;
    return to && layout.regroup(*to);
}

/// Takes the node as root if its heads are behind rows, in a shape that a Reshape of the result can
/// make.
void take_root(const Scope& scope, const Node& node, const HeadLayout& layout,
               AttentionSite& site) {
    const auto& shape = scope.type(node.outputs[0]).shape;
    if (shape && constant_shape(*shape, site.root_shape)) {
        site.root = node.id;
    } else if (layout.split_heads(1) == site.query.heads) {
        site.root = node.id;
        site.root_shape = {0, 0, site.query.heads, site.value.size};
    }
}

/// The rows of a branch; those that went into the product transposed may come back for the cache.
std::vector<ValueId> rows_for_cache(const Scope& scope, const Branch& branch) {
    std::vector<ValueId> rows = branch.all_rows;
    if (!branch.join || !branch.all_rows.empty()) return rows;
    for (const Use& use : scope.value(scope.node(branch.join).outputs[0]).uses) {
        const Node& node = scope.node(use.node);
        if (node.op_type == "Transpose" &&
            node.ints_attribute("perm") == std::vector<std::int64_t>{0, 1, 3, 2})
            rows.push_back(node.outputs[0]);
    }
    return rows;
}

/// Concats of two along a new first axis in which the branch has place `place`.
std::vector<NodeId> cache_concats(PassContext& context, const Branch& branch, std::size_t place) {
    const Scope& scope = context.scope();
    std::vector<NodeId> out;
    for (ValueId v : rows_for_cache(scope, branch))
        for (const Use& use : scope.value(v).uses) {
            const Node& node = scope.node(use.node);
            if (!is_unsqueeze_of_first(context, node)) continue;
            for (const Use& packed : scope.value(node.outputs[0]).uses) {
                const Node& concat = scope.node(packed.node);
                if (concat.op_type == "Concat" && concat.domain.empty() &&
                    concat.inputs.size() == 2 && concat.int_attribute("axis", -1) == 0 &&
                    packed.input == place)
                    out.push_back(concat.id);
            }
        }
    return out;
}

}  // namespace

std::string find_root(PassContext& context, AttentionSite& site) {
    const Scope& scope = context.scope();
    const Node* node = &scope.node(site.context_product);
    const auto& shape = scope.type(node->outputs[0]).shape;
    if (!shape) return "the rank of " + node->describe() + " is not known";
    HeadLayout layout(*shape, false);
    if (!layout.ok())
        return "the shape " + to_string(*shape) + " of " + node->describe() +
               " is not known well enough";
    std::string last = node->describe();
    if (layout.flat_heads(true) == site.query.heads) {
        site.root = node->id;
        site.root_is_flat = true;
        return {};
    }
    for (int steps = 0; steps < 8; ++steps) {
        const Node* next = only_reader(scope, node->outputs[0]);
        if (!next || !next->domain.empty()) break;
        if (!follow(scope, *next, layout)) break;
        node = next;
        last = node->describe() + " as " + layout.text();
        if (layout.flat_heads(true) == site.query.heads) {
            site.root = node->id;
            site.root_is_flat = true;
            break;
        }
        if (layout.rows_before_heads(site.query.heads)) take_root(scope, *node, layout, site);
    }
    if (!site.root)
        return "the heads do not come together again after the values: they end at " + last +
               ", expected [batch, rows, heads x items]";
    return {};
}

NodeId packed_present(PassContext& context, const Branch& key, const Branch& value) {
    const auto with_keys = cache_concats(context, key, 0),
               with_values = cache_concats(context, value, 1);
    for (NodeId id : with_keys)
        if (std::ranges::find(with_values, id) != with_values.end()) return id;
    return {};
}

void write_attention(PassContext& context, const AttentionSite& site, const char* op,
                     std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                     const std::vector<NodeId>& extra, bool one_more_output,
                     const std::vector<NodeId>& matched) {
    GraphEdit& edit = context.edit();
    while (!inputs.empty() && !inputs.back()) inputs.pop_back();
    context.import("com.microsoft");
    NodeSpec spec;
    spec.domain = "com.microsoft";
    spec.op_type = op;
    spec.version = 1;
    spec.name = context.graph().node(site.root).name;
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    ValueId flat;
    std::vector<ValueId> root_outputs = edit.take_outputs(site.root);
    if (!site.root_is_flat)
        flat = edit.add_value(context.graph().value(root_outputs.at(0)).name + "_heads");
    spec.outputs = {site.root_is_flat ? root_outputs.at(0) : flat};
    for (NodeId id : extra) spec.outputs.push_back(edit.take_outputs(id).at(0));
    if (one_more_output) spec.outputs.push_back(edit.add_value({}));
    edit.add_node(std::move(spec));
    if (!site.root_is_flat) {
        NodeSpec reshape;
        reshape.op_type = "Reshape";
        reshape.version = context.opset();
        reshape.inputs = {flat, context.constant_ints("heads_shape", site.root_shape)};
        reshape.outputs = std::move(root_outputs);
        edit.add_node(std::move(reshape));
    }
    edit.erase(site.root);
    for (NodeId id : extra) edit.erase(id);
    context.erase_unused(matched);
}

}  // namespace lapidary::attention
