// SPDX-License-Identifier: Apache-2.0
#include "edit/changed_types.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "ops/inference/infer_node.h"

namespace lapidary {
namespace {

const void* elements_of_constant(const Value& value) {
    return value.constant ? value.constant->identity() : nullptr;
}

bool is_whole_number(DType dtype) { return dtype == DType::i64 || dtype == DType::i32; }

/// Every dimension has a number or a name.
bool is_complete(const Type& type) {
    return type.is_tensor() && type.dtype != DType::undefined && type.shape &&
           std::ranges::none_of(*type.shape, &Dim::is_unknown);
}

/// Whether what the node writes can be sizes that others compute shapes from.
bool may_write_sizes(const Node& node, const std::vector<Type>& outputs) {
    return node.op_type == "Shape" || node.op_type == "Size" ||
           std::ranges::any_of(outputs, [](const Type& type) {
               return is_whole_number(type.dtype) && (!type.shape || type.shape->size() <= 1);
           });
}

/// How far back is looked for constants that a value is computed from.
constexpr int most_nodes_back = 8;

/// Whether inference of the whole model may know the elements of the value, which decide on types
/// and on what is valid: computed from constants, or sizes.
bool may_be_known(const Graph& graph, ValueId id, int nodes_back = most_nodes_back) {
    const Value& value = graph.value(id);
    if (value.kind != ValueKind::node_output) return value.is_constant();
    if (nodes_back == 0) return true;
    const Node& node = graph.node(value.producer);
    if (node.op_type == "Shape" || node.op_type == "Size") return true;
    return std::ranges::all_of(node.inputs, [&](ValueId input) {
        return !input || may_be_known(graph, input, nodes_back - 1);
    });
}

/// Walks the nodes once, in their order.
class ChangeWalk {
public:
    ChangeWalk(Model& model, const GraphBefore& before, StayingNodes staying)
        : model_(model), graph_(model.graph), before_(before), staying_(staying),
          edit_(model.graph) {}

    bool run() {
        is_changed_.resize(graph_.value_slots());
        for (const ValueId id : graph_.values()) {
            const Value& value = graph_.value(id);
            if (value.kind == ValueKind::undefined) return false;
            if (value.kind == ValueKind::node_output || !before_.is_other(value)) continue;
            if (value.kind == ValueKind::input && !is_complete(value.type)) return false;
            is_changed_[id.index] = true;
        }
        std::vector<bool> is_edited(graph_.node_slots());
        const auto& history = graph_.history();
        for (std::size_t i = before_.rewrites(); i < history.size(); ++i)
            for (const NodeId id : history[i].changed) is_edited[id.index] = true;
        const std::vector<NodeId> nodes(graph_.nodes().begin(), graph_.nodes().end());
        return std::ranges::all_of(nodes, [&](NodeId id) {
            const Node& node = graph_.node(id);
            const bool concerned = is_edited[id.index] || before_.reads_others(node) ||
                                   reads_changed(node.inputs) || reads_changed(node.captures);
            return !concerned || reads_the_like(node) || infer(node);
        });
    }

private:
    bool reads_changed(const std::vector<ValueId>& values) const {
        return std::ranges::any_of(values, [&](ValueId id) { return id && is_changed_[id.index]; });
    }

    /// Whether the node writes what it wrote: it is the same, and the values that it reads have the
    /// types and the known elements of those that it read. Elements of a value whose size is not a
    /// number are never known.
    bool reads_the_like(const Node& node) const {
        if (staying_ != StayingNodes::rewired || !before_.had(node.id) || !node.captures.empty())
            return false;
        const std::vector<ValueId>& old = before_.inputs(node.id);
        if (old.size() != node.inputs.size()) return false;
        for (std::size_t i = 0; i < old.size(); ++i) {
            const ValueId now = node.inputs[i];
            if (now && is_changed_[now.index]) return false;
            if (now == old[i]) continue;
            const Type* type = now && old[i] ? before_.type(old[i]) : nullptr;
            if (type == nullptr || graph_.value(now).type != *type || !is_complete(*type) ||
                type->is_static())
                return false;
        }
        return true;
    }

    bool infer(const Node& node) {
        if (!node.captures.empty() ||
            model_.find_function(node.domain, node.op_type, node.overload))
            return false;
        // What it writes may be known elements, which others are checked against.
        if (std::ranges::all_of(node.inputs,
                                [&](ValueId id) { return !id || may_be_known(graph_, id); }))
            return false;
        std::vector<Type> inputs;
        std::vector<const Tensor*> constants;
        for (const ValueId id : node.inputs) {
            const Value* value = id ? &graph_.value(id) : nullptr;
            if (value != nullptr && value->kind == ValueKind::undefined) return false;
            if (value != nullptr && value->kind == ValueKind::node_output &&
                may_be_known(graph_, id))
                return false;
            inputs.push_back(value != nullptr ? value->type : Type());
            constants.push_back(value != nullptr && value->is_constant() && value->constant
                                    ? &*value->constant
                                    : nullptr);
        }
        std::vector<Type> outputs;
        try {
            outputs = infer_node_types(node, inputs, constants);
        } catch (const Error&) {
            return false;  // inference of the whole model says what is wrong
        }
        if (may_write_sizes(node, outputs)) return false;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const ValueId id = node.outputs[i];
            if (!id) continue;
            if (!is_complete(outputs[i])) return false;
            const Type* old = before_.type(id);
            if (old != nullptr && *old == outputs[i] && graph_.value(id).type == outputs[i])
                continue;
            is_changed_[id.index] = true;
            edit_.set_type(id, outputs[i]);
        }
        return true;
    }

    Model& model_;
    const Graph& graph_;
    const GraphBefore& before_;
    const StayingNodes staying_;
    GraphEdit edit_;
    std::vector<bool> is_changed_;  // by value index
};

}  // namespace

GraphBefore::GraphBefore(const Graph& graph)
    : types_(graph.value_slots()), constants_(graph.value_slots()), is_value_(graph.value_slots()),
      is_node_(graph.node_slots()), inputs_(graph.node_slots()), node_count_(graph.node_count()),
      rewrites_(graph.history().size()) {
    for (const ValueId id : graph.values()) {
        const Value& value = graph.value(id);
        types_[id.index] = value.type;
        constants_[id.index] = elements_of_constant(value);
        is_value_[id.index] = true;
        ++value_count_;
    }
    for (const NodeId id : graph.nodes()) {
        is_node_[id.index] = true;
        inputs_[id.index] = graph.node(id).inputs;
    }
}

const Type* GraphBefore::type(ValueId id) const {
    return id.index < types_.size() && is_value_[id.index] ? &types_[id.index] : nullptr;
}

bool GraphBefore::reads_others(const Node& node) const {
    return !had(node.id) || inputs_[node.id.index] != node.inputs;
}

bool GraphBefore::is_other(const Value& value) const {
    const Type* old = type(value.id);
    return old == nullptr || *old != value.type ||
           constants_[value.id.index] != elements_of_constant(value);
}

bool infer_changed_types(Model& model, const GraphBefore& before, StayingNodes staying) {
    return ChangeWalk(model, before, staying).run();
}

}  // namespace lapidary
