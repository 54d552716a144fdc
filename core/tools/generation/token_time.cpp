// SPDX-License-Identifier: Apache-2.0
#include <lapidary/generation/token_time.h>

#include <algorithm>
#include <set>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

// nodes between the head and the logits: a cast, a scale, a bias, a softcap of three
constexpr int most_behind_head = 5;
// nodes that make a weight of what is stored: dequantization, a cast, a transposition
constexpr int most_before_weight = 3;

/// The constant that a value is made from by nodes that read constants alone; null: there is none.
const Value* stored_weight(const Graph& graph, ValueId id, int depth = most_before_weight) {
    if (!id) return nullptr;
    const Value& value = graph.value(id);
    if (value.is_constant()) return &value;
    if (value.kind != ValueKind::node_output || depth == 0) return nullptr;
    const Value* first = nullptr;
    for (const ValueId input : graph.node(value.producer).inputs) {
        if (!input) continue;
        const Value* found = stored_weight(graph, input, depth - 1);
        if (!found) return nullptr;
        if (!first) first = found;
    }
    return first;
}

bool is_product(const Node& node) { return traits_of(node).family == OperatorFamily::matrix; }

/// The weight of a product: input 1, or input 0 of one whose operands are exchanged.
const Value* weight_of(const Graph& graph, const Node& node) {
    for (const std::size_t i : {std::size_t{1}, std::size_t{0}})
        if (i < node.inputs.size())
            if (const Value* weight = stored_weight(graph, node.inputs[i])) return weight;
    return nullptr;
}

bool is_attention(const Graph& graph, const Node& node) {
    if (node.op_type == "Softmax" || traits_of(node).cost.formula == CostFormula::attention)
        return true;
    if (!is_product(node)) return false;
    const auto is_weight = [&](ValueId input) { return stored_weight(graph, input) != nullptr; };
    return std::ranges::none_of(node.inputs, is_weight);
}

/// What the nodes of a graph do in a decoder.
class Parts {
public:
    Parts(const Graph& graph, const DecoderOutputs& outputs)
        : graph_(graph), head_(find_head(graph, outputs.logits)) {
        for (const std::string& name : outputs.caches) {
            const ValueId id = graph.find_value(name);
            if (id && graph.value(id).kind == ValueKind::node_output)
                writers_.insert(graph.value(id).producer);
        }
    }

    double& part_of(const Span& kernel, TokenTime& time) const {
        if (!kernel.node || !graph_.is_alive(kernel.node)) return time.rest_ms;
        if (kernel.node == head_) return time.head_ms;
        const Node& node = graph_.node(kernel.node);
        if (is_attention(graph_, node)) return time.attention_ms;
        if (is_product(node)) return time.products_ms;
        return writers_.contains(kernel.node) ? time.cache_ms : time.rest_ms;
    }

private:
    const Graph& graph_;
    NodeId head_;
    std::set<NodeId> writers_;
};

}  // namespace

NodeId find_head(const Graph& graph, const std::string& logits) {
    ValueId at = graph.find_value(logits);
    for (int i = 0; i < most_behind_head && at; ++i) {
        const Value& value = graph.value(at);
        if (value.kind != ValueKind::node_output) return {};
        const Node& node = graph.node(value.producer);
        if (is_product(node)) return node.id;
        const auto moving = std::ranges::find_if(
            node.inputs, [&](ValueId input) { return input && !stored_weight(graph, input); });
        if (moving == node.inputs.end()) return {};
        at = *moving;
    }
    return {};
}

DType head_weight_type(const Graph& graph, const std::string& logits) {
    const NodeId head = find_head(graph, logits);
    if (!head) return DType::undefined;
    const Value* weight = weight_of(graph, graph.node(head));
    return weight ? weight->type.dtype : DType::undefined;
}

TokenTime token_time(const Graph& graph, const DecoderOutputs& outputs, const Profile& profile) {
    const Parts parts(graph, outputs);
    const TypicalRun typical = typical_run(profile);
    TokenTime time;
    time.wall_ms = static_cast<double>(typical.wall_ns) / 1e6;
    double nodes_ms = 0;
    for (const Span& kernel : profile.kernels) {
        if (kernel.depth != 0 || !typical.holds(kernel)) continue;
        const double ms = static_cast<double>(kernel.duration_ns()) / 1e6;
        parts.part_of(kernel, time) += ms;
        nodes_ms += ms;
    }
    time.overhead_ms = std::max(0.0, time.wall_ms - nodes_ms);
    return time;
}

}  // namespace lapidary
