// SPDX-License-Identifier: Apache-2.0
#include "graph/reader_demands.h"

#include <string_view>
#include <unordered_set>

namespace lapidary {
namespace {

constexpr std::int64_t first_flatten_from_the_end = 11;  // opset

}  // namespace

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
    if (!node.domain.empty() || node.op_type != "Flatten" || node.version >= first_flatten_from_the_end) return {};
    const Attribute* axis = node.attribute("axis");
    const auto* value = axis ? std::get_if<std::int64_t>(&axis->value) : nullptr;
    if (!value || *value >= 0) return {};
    return "axis is " + std::to_string(*value) + "; before opset 11 it may not be below zero";
}

}  // namespace lapidary
