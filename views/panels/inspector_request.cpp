// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/inspector_request.h"

#include <algorithm>

namespace lapidary::views {
namespace {

bool writesOutput(const Graph& graph, NodeId node) {
    if (!graph.is_alive(node)) return false;
    return std::ranges::any_of(graph.node(node).outputs, [&](ValueId value) {
        return value && std::ranges::find(graph.outputs(), value) != graph.outputs().end();
    });
}

}  // namespace

std::vector<InspectorRequest::Kind> fixesOf(const NearMiss& miss, const Model& model,
                                            bool hasFreeDimensions) {
    const auto words = [&](const char* some) {
        return miss.reason.find(some) != std::string::npos;
    };
    std::vector<InspectorRequest::Kind> fixes;
    if (words("opset")) fixes.push_back(InspectorRequest::Kind::newerOpset);
    const bool isOpen = words("not known") || words("not provably") || words("fixed size");
    if (hasFreeDimensions && isOpen) fixes.push_back(InspectorRequest::Kind::fixDimensions);
    const bool isRead = words("also read") || words("read elsewhere") || words("output");
    if (isRead && model.graph.outputs().size() > 1 &&
        std::ranges::any_of(miss.nodes,
                            [&](NodeId node) { return writesOutput(model.graph, node); }))
        fixes.push_back(InspectorRequest::Kind::pruneOutputs);
    return fixes;
}

}  // namespace lapidary::views
