// SPDX-License-Identifier: Apache-2.0
#include "passes/byte_function.h"

#include <algorithm>
#include <set>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr std::size_t most_nodes = 64;

bool is_byte(DType t) { return t == DType::u8 || t == DType::i8; }

const Tensor* constant_of(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    return v.kind == ValueKind::initializer && v.constant ? &*v.constant : nullptr;
}

/// The rank is known and no lower than that of a constant.
bool has_rank_of(const Type& data, std::int64_t rank) {
    return rank == 0 || (data.shape && static_cast<std::size_t>(rank) <= data.shape->size());
}

bool works_by_element(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    const OperatorLayout layout = traits.layout;
    return (traits.is_elementwise() || layout == OperatorLayout::quantize ||
            layout == OperatorLayout::quantized_unary ||
            layout == OperatorLayout::quantized_binary) &&
           !traits.has(OperatorFact::random);
}

/// The operands that are no constants of one element. Nothing: the node computes other types than
/// floats and bytes, or has operands that may not fit.
std::optional<std::vector<ValueId>> data_of(const Graph& graph, const Node& node) {
    if (!works_by_element(node) || node.outputs.size() != 1 || !node.outputs[0])
        return std::nullopt;
    const auto fits = [](const Type& type) {
        return type.dtype == DType::f32 || is_byte(type.dtype);
    };
    const Type& result = graph.value(node.outputs[0]).type;
    if (!fits(result)) return std::nullopt;
    std::vector<ValueId> data;
    std::int64_t rank = 0;  // of the constants
    for (ValueId input : node.inputs) {
        if (!input) continue;
        if (const Tensor* constant = constant_of(graph, input)) {
            if (constant->size() != 1) return std::nullopt;
            rank = std::max<std::int64_t>(rank, constant->rank());
        } else if (!fits(graph.value(input).type)) return std::nullopt;
        else if (std::ranges::find(data, input) == data.end()) data.push_back(input);
    }
    const bool keeps_shape = std::ranges::all_of(
        data, [&](ValueId input) { return has_rank_of(graph.value(input).type, rank); });
    return data.empty() || !keeps_shape ? std::nullopt : std::optional(std::move(data));
}

class Search {
public:
    Search(const Graph& graph, NodeId last) : graph_(graph) { add(last); }

    std::optional<ByteFunction> run() {
        std::optional<ByteFunction> found;
        while (!open_.empty() && order_.size() < most_nodes) {
            if (open_.size() == 1 && is_byte(graph_.value(*open_.begin()).type.dtype))
                found = ByteFunction{*open_.begin(), {order_.rbegin(), order_.rend()}};
            // Shared values come last, when all their readers are known to be in the function.
            if (!take_one(false) && !take_one(true)) break;
        }
        return found;
    }

private:
    bool take_one(bool takes_shared) {
        for (ValueId value : open_) {
            if (!may_take(value, takes_shared)) continue;
            const NodeId producer = graph_.value(value).producer;
            if (!data_of(graph_, graph_.node(producer))) continue;
            open_.erase(value);
            add(producer);
            return true;
        }
        return false;
    }

    /// True if only the function reads the value, or if it is a copy of the bytes as floats.
    bool may_take(ValueId value, bool takes_shared) const {
        const Value& v = graph_.value(value);
        if (v.kind != ValueKind::node_output || v.output_uses > 0 || !v.captured_by.empty())
            return false;
        if (std::ranges::all_of(v.uses,
                                [&](const Use& use) { return members_.contains(use.node); }))
            return true;
        return takes_shared && graph_.node(v.producer).op_type == "DequantizeLinear";
    }

    void add(NodeId id) {
        const auto data = data_of(graph_, graph_.node(id));
        if (!data) return;
        members_.insert(id);
        order_.push_back(id);
        open_.insert(data->begin(), data->end());
    }

    const Graph& graph_;
    std::set<NodeId> members_;
    std::vector<NodeId> order_;  // readers before what they read
    std::set<ValueId> open_;     // what they read
};

}  // namespace

std::optional<ByteFunction> byte_function_of(const Graph& graph, NodeId last) {
    const Node& node = graph.node(last);
    if (node.outputs.empty() || !node.outputs[0] ||
        !is_byte(graph.value(node.outputs[0]).type.dtype))
        return std::nullopt;
    return Search(graph, last).run();
}

}  // namespace lapidary
