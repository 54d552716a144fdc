// SPDX-License-Identifier: Apache-2.0
#include "inspect/match_values.h"

#include <algorithm>
#include <set>

#include "exec/plan/planned_copies.h"
#include "inspect/memory_copies.h"
#include "inspect/node_sequence.h"

namespace lapidary {
namespace {

/// Whether names say which values correspond. Bare numbers, which exporters give, may be shared by
/// chance: then mostly other operators write the values.
bool are_names_telling(const Graph& a, const Graph& b) {
    std::size_t shared = 0, alike = 0, numbers = 0;
    for (ValueId id : a.values()) {
        const ValueId same = b.find_value(a.value(id).name);
        const Node* const of_a = writer_of(a, id);
        const Node* const of_b = same ? writer_of(b, same) : nullptr;
        if (of_a == nullptr || of_b == nullptr) continue;
        ++shared;
        alike += of_a->op_type == of_b->op_type;
        numbers += a.value(id).name.find_first_not_of("0123456789") == std::string::npos;
    }
    return 2 * alike >= shared || 2 * numbers <= shared;
}

/// Nodes by name where no other node of the graph has it.
std::map<std::string, NodeId> unique_names(const Graph& graph) {
    std::map<std::string, NodeId> names;
    std::set<std::string> repeated;
    for (NodeId id : graph.nodes()) {
        const std::string& name = graph.node(id).name;
        if (!name.empty() && !names.emplace(name, id).second) repeated.insert(name);
    }
    for (const std::string& name : repeated) names.erase(name);
    return names;
}

/// Kind and rank are the same, and both hold floats or the same other elements.
bool have_like_types(const Type& a, const Type& b) {
    if (a.kind != b.kind) return false;
    if (a.has_shape() && b.has_shape() && a.shape->size() != b.shape->size()) return false;
    return a.dtype == b.dtype || (is_float(a.dtype) && is_float(b.dtype));
}

/// As have_like_types(), and no sizes are known to differ.
bool may_be_same(const Type& a, const Type& b) {
    if (!have_like_types(a, b)) return false;
    if (!a.has_shape() || !b.has_shape()) return true;
    for (std::size_t axis = 0; axis < a.shape->size(); ++axis) {
        const Dim &of_a = (*a.shape)[axis], &of_b = (*b.shape)[axis];
        if (of_a.is_known() && of_b.is_known() && of_a != of_b) return false;
    }
    return true;
}

/// What makes a constant or a value available elsewhere while a model runs needs no counterpart.
bool is_computed(const Graph& graph, const Node& node) {
    return node.op_type != "Constant" && !is_copy(node) &&
           std::ranges::any_of(node.outputs, [](ValueId v) { return bool(v); }) &&
           graph.is_alive(node.id);
}

}  // namespace

MatchedValues::MatchedValues(const Graph& a, const Graph& b, bool is_one_model)
    : is_one_model_(is_one_model) {
    match(a, b);
}

void MatchedValues::add(const Graph& a, ValueId of_a, const Graph& b, ValueId of_b,
                        const char* by) {
    std::size_t& at_a = by_a_[&a][of_a.index];
    std::size_t& at_b = by_b_[&b][of_b.index];
    if (at_a != none || at_b != none) return;
    at_a = at_b = pairs_.size();
    pairs_.push_back({&a, &b, of_a, of_b, by});
}

void MatchedValues::match(const Graph& a, const Graph& b) {
    if (by_a_.contains(&a) || by_b_.contains(&b)) return;  // a body that several nodes share
    by_a_[&a].assign(a.value_slots(), none);
    by_b_[&b].assign(b.value_slots(), none);
    match_inputs(a, b);
    const std::size_t before = pairs_.size();
    if (is_one_model_ || are_names_telling(a, b)) match_names(a, b);
    // Where most names are shared, values of other names are what rewriting made.
    const std::size_t least = std::min(unmatched(by_a_, a).size(), unmatched(by_b_, b).size());
    if (!is_one_model_ && least > pairs_.size() - before) match_nodes(a, b);
    const auto outs_a = a.outputs(), outs_b = b.outputs();
    for (std::size_t i = 0; i < std::min(outs_a.size(), outs_b.size()); ++i)
        if (writer_of(a, outs_a[i]) && writer_of(b, outs_b[i]))
            add(a, outs_a[i], b, outs_b[i], "position");
    unmatched_a_ += unmatched(by_a_, a).size();
    unmatched_b_ += unmatched(by_b_, b).size();
    match_bodies(a, b);
}

std::vector<NodeId> MatchedValues::unmatched(const Index& index, const Graph& graph) const {
    std::vector<NodeId> nodes = structural_order(graph);
    std::erase_if(nodes, [&](NodeId id) {
        const Node& node = graph.node(id);
        return !is_computed(graph, node) || std::ranges::none_of(node.outputs, [&](ValueId v) {
            return v && found(index, graph, value_of_model(graph, v)) == none;
        });
    });
    return nodes;
}

void MatchedValues::match_inputs(const Graph& a, const Graph& b) {
    const auto ins_a = a.inputs(), ins_b = b.inputs();
    for (ValueId id : ins_a) {
        const ValueId same = b.find_value(a.value(id).name);
        if (same && b.value(same).kind == ValueKind::input) add(a, id, b, same, "name");
    }
    for (std::size_t i = 0; i < std::min(ins_a.size(), ins_b.size()); ++i)
        if (have_like_types(a.value(ins_a[i]).type, b.value(ins_b[i]).type))
            add(a, ins_a[i], b, ins_b[i], "position");
}

void MatchedValues::match_names(const Graph& a, const Graph& b) {
    for (ValueId id : a.values()) {
        const ValueId same = b.find_value(a.value(id).name);
        if (same && writer_of(a, id) && writer_of(b, same)) add(a, id, b, same, "name");
    }
}

void MatchedValues::match_nodes(const Graph& a, const Graph& b) {
    const auto add_nodes = [&](const Node& of_a, const Node& of_b, const char* by) {
        for (std::size_t o = 0; o < std::min(of_a.outputs.size(), of_b.outputs.size()); ++o) {
            const ValueId out_a = value_of_model(a, of_a.outputs[o]),
                          out_b = value_of_model(b, of_b.outputs[o]);
            if (out_a && out_b && may_be_same(a.value(out_a).type, b.value(out_b).type))
                add(a, out_a, b, out_b, by);
        }
    };
    const auto names_a = unique_names(a), names_b = unique_names(b);
    for (const auto& [name, id] : names_a)
        if (const auto same = names_b.find(name);
            same != names_b.end() &&
            a.node(id).qualified_op() == b.node(same->second).qualified_op())
            add_nodes(a.node(id), b.node(same->second), "node");
    for (const auto& [of_a, of_b] : align_nodes(a, unmatched(by_a_, a), b, unmatched(by_b_, b)))
        add_nodes(a.node(of_a), b.node(of_b), "structure");
}

void MatchedValues::match_bodies(const Graph& a, const Graph& b) {
    for (NodeId id : a.nodes()) {
        const Node& of_a = a.node(id);
        for (const Attribute& attribute : of_a.attributes) {
            const auto* const body_a = std::get_if<GraphPtr>(&attribute.value);
            if (!body_a || !*body_a) continue;
            for (ValueId output : of_a.outputs) {
                const std::size_t pair = found(by_a_, a, output);
                if (pair == none) continue;
                const Node& of_b = b.node(b.value(pairs_[pair].b).producer);
                if (of_b.op_type == of_a.op_type)
                    if (const GraphPtr body_b = of_b.graph_attribute(attribute.name))
                        match(**body_a, *body_b);
                break;
            }
        }
    }
}

}  // namespace lapidary
