// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/inspector_request.h"

#include <algorithm>

namespace lapidary::views {
namespace {

bool tells(const NearMiss& miss, const char* words) { return miss.reason.find(words) != std::string::npos; }

bool writesOutput(const Graph& graph, NodeId node) {
    if (!graph.is_alive(node)) return false;
    return std::ranges::any_of(graph.node(node).outputs, [&](ValueId value) {
        return value && std::ranges::find(graph.outputs(), value) != graph.outputs().end();
    });
}

}  // namespace

std::vector<InspectorRequest::Kind> fixesOf(const NearMiss& miss, const Model& model, bool hasFreeDimensions) {
    std::vector<InspectorRequest::Kind> fixes;
    if (tells(miss, "opset")) fixes.push_back(InspectorRequest::Kind::newerOpset);
    const bool isOpen = tells(miss, "not known") || tells(miss, "not provably") || tells(miss, "fixed size");
    if (hasFreeDimensions && isOpen) fixes.push_back(InspectorRequest::Kind::fixDimensions);
    const bool isRead = tells(miss, "also read") || tells(miss, "read elsewhere") || tells(miss, "output");
    if (isRead && model.graph.outputs().size() > 1 &&
        std::ranges::any_of(miss.nodes, [&](NodeId node) { return writesOutput(model.graph, node); }))
        fixes.push_back(InspectorRequest::Kind::pruneOutputs);
    return fixes;
}

}  // namespace lapidary::views
