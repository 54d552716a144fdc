// SPDX-License-Identifier: Apache-2.0
#include "inspect/recorded_places.h"

#include <algorithm>
#include <set>
#include <variant>

#include <lapidary/graph/node_source.h>

namespace lapidary {
namespace {

/// Paths as exporters and programs write them: "/a/b" and "a.b" are the same.
std::string plain_path(std::string path) {
    std::ranges::replace(path, '/', '.');
    path.erase(0, path.find_first_not_of('.'));
    return path;
}

using NodesByPath = std::map<std::string, std::map<const Graph*, std::set<NodeId>>>;

void add_nodes(const Graph& graph, NodesByPath& nodes) {
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        for (const SourceModule& module : source_of(node).modules)
            if (!module.path.empty()) nodes[plain_path(module.path)][&graph].insert(id);
        for (const Attribute& attribute : node.attributes)
            if (const auto* const body = std::get_if<GraphPtr>(&attribute.value); body && *body)
                add_nodes(**body, nodes);
    }
}

/// What the graph puts before the paths of the recording, for example "model." of a program that
/// wrapped the model to export it. Empty where paths fit as they are, or where nothing does.
std::string wrapper_of(const NodesByPath& nodes, const Recording& recording) {
    std::map<std::string, std::size_t> votes{{"", 0}};
    for (const RecordedModule& module : recording.modules) {
        const std::string path = plain_path(module.path);
        if (path.empty()) continue;
        if (nodes.contains(path)) ++votes[""];
        for (const auto& [known, unused] : nodes)
            if (known.size() > path.size() && known.ends_with("." + path))
                ++votes[known.substr(0, known.size() - path.size())];
    }
    const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
    return votes[""] == most->second ? std::string() : most->first;
}

/// The value is read by a node that is not one of them, or is an output.
bool is_given_away(const Value& value, const std::set<NodeId>& nodes) {
    const auto is_outside = [&](NodeId reader) { return !nodes.contains(reader); };
    return value.output_uses > 0 ||
           std::ranges::any_of(value.uses, is_outside, [](const Use& use) { return use.node; }) ||
           std::ranges::any_of(value.captured_by, is_outside);
}

}  // namespace

RecordedPlaces::RecordedPlaces(const Graph& graph, const Recording& recording)
    : has_nodes_(recording.modules.size(), false), is_input_(recording.modules.size(), false) {
    if (recording.is_by_value) {
        place_values(graph, recording);
        return;
    }
    NodesByPath nodes;
    add_nodes(graph, nodes);
    const std::string wrapper = wrapper_of(nodes, recording);
    for (std::size_t i = 0; i < recording.modules.size(); ++i) {
        const std::string path = plain_path(recording.modules[i].path);
        const auto found = path.empty() ? nodes.end() : nodes.find(wrapper + path);
        if (found == nodes.end()) continue;
        has_nodes_[i] = true;
        for (const auto& [of, ids] : found->second)
            for (NodeId id : ids)
                for (ValueId output : of->node(id).outputs)
                    if (output && is_given_away(of->value(output), ids))
                        modules_[{of, output}].push_back(i);
    }
}

void RecordedPlaces::place_values(const Graph& graph, const Recording& recording) {
    for (std::size_t i = 0; i < recording.modules.size(); ++i)
        if (const ValueId value = graph.find_value(recording.modules[i].path)) {
            has_nodes_[i] = true;
            is_input_[i] = std::ranges::find(graph.inputs(), value) != graph.inputs().end();
            modules_[{&graph, value}].push_back(i);
        }
}

const std::vector<std::size_t>& RecordedPlaces::modules_at(const Graph& graph,
                                                           ValueId value) const {
    static const std::vector<std::size_t> none;
    const auto found = modules_.find({&graph, value});
    return found == modules_.end() ? none : found->second;
}

}  // namespace lapidary
