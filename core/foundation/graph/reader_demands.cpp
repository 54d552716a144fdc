// SPDX-License-Identifier: Apache-2.0
#include "graph/reader_demands.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::int64_t first_flatten_from_the_end = 11;  // opset

/// ONNX 1.16 and 1.17 take its result for a scalar.
bool is_squeeze_of_any_rank(const Graph& graph, const Node& node) {
    if (!node.domain.empty() || node.op_type != "Squeeze" || node.inputs.empty() || !node.inputs[0])
        return false;
    if (node.has_attribute("axes") || (node.inputs.size() > 1 && node.inputs[1])) return false;
    const auto& shape = graph.value(node.inputs[0]).type.shape;
    return shape && std::ranges::any_of(*shape, [](const Dim& dim) { return !dim.is_known(); });
}

}  // namespace

std::vector<ValueId> shapes_that_mislead(const Graph& graph) {
    std::vector<ValueId> found;
    const bool has_any = std::ranges::any_of(
        graph.nodes(), [&](NodeId id) { return is_squeeze_of_any_rank(graph, graph.node(id)); });
    if (!has_any) return found;
    for (const NodeId id : graph.nodes())
        for (const ValueId output : graph.node(id).outputs)
            if (output && graph.value(output).declared && graph.value(output).output_uses == 0)
                found.push_back(output);
    return found;
}

std::vector<NodeId> nodes_of_taken_names(const Graph& graph) {
    std::vector<NodeId> found;
    std::unordered_set<std::string_view> taken;
    for (const NodeId id : graph.nodes()) {
        const std::string& name = graph.node(id).name;
        if (!name.empty() && !taken.insert(name).second) found.push_back(id);
    }
    return found;
}

std::vector<std::size_t> outputs_from_outside(const Graph& graph) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < graph.outputs().size(); ++i)
        if (graph.value(graph.outputs()[i]).kind == ValueKind::captured) found.push_back(i);
    return found;
}

std::string forbidden_by_version(const Node& node) {
    if (!node.domain.empty() || node.op_type != "Flatten" ||
        node.version >= first_flatten_from_the_end)
        return {};
    const Attribute* axis = node.attribute("axis");
    const auto* value = axis ? std::get_if<std::int64_t>(&axis->value) : nullptr;
    if (!value || *value >= 0) return {};
    return "axis is " + std::to_string(*value) + "; before opset 11 it may not be below zero";
}

}  // namespace lapidary
