// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/graph_path.h>

namespace lapidary {

GraphPath GraphPath::inner(const Node& node, std::string attribute, std::size_t index) const {
    GraphPath path = *this;
    path.steps.push_back({node.id, std::move(attribute), index, node.describe()});
    return path;
}

std::string GraphPath::text() const {
    std::string text = "main";
    for (const Step& step : steps) text += '/' + step.node_text + '/' + step.attribute;
    return text;
}

std::string GraphPath::key() const {
    std::string key;
    for (const Step& step : steps)
        key += std::to_string(step.node.index) + '.' + step.attribute + '.' +
               std::to_string(step.index) + '/';
    return key;
}

std::string in_graph(const GraphPath& path) {
    return path.is_main() ? std::string() : " in " + path.text();
}

const Graph* find_graph(const Graph& main, const GraphPath& path) {
    const Graph* graph = &main;
    for (const GraphPath::Step& step : path.steps) {
        if (!graph->is_alive(step.node)) return nullptr;
        const Attribute* attribute = graph->node(step.node).attribute(step.attribute);
        if (!attribute) return nullptr;
        const auto* one = std::get_if<GraphPtr>(&attribute->value);
        const auto* many = std::get_if<std::vector<GraphPtr>>(&attribute->value);
        if (one && step.index == 0) graph = one->get();
        else if (many && step.index < many->size()) graph = (*many)[step.index].get();
        else return nullptr;
        if (!graph) return nullptr;
    }
    return graph;
}

}  // namespace lapidary
