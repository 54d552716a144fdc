// SPDX-License-Identifier: Apache-2.0
#include "inspect/recorded_suspects.h"

#include <cstddef>
#include <set>

#include "inspect/node_sequence.h"

namespace lapidary {
namespace {

constexpr std::size_t most_suspects = 64;

/// The first value that differs: inside, or else an output.
RecordedPlace first_differing(const Graph& graph, const RecordingCheck& check,
                              const std::vector<RecordedPlace>& places) {
    if (check.first) return places[*check.first];
    for (const CheckedRecordedOutput& output : check.outputs)
        if (!output.comparison.matches) return {&graph, graph.find_value(output.name)};
    return {};
}

/// Values that agree wherever they were compared.
std::set<RecordedPlace> agreeing_places(const RecordingCheck& check,
                                        const std::vector<RecordedPlace>& places) {
    std::set<RecordedPlace> agreeing;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (check.modules[i].state == RecordedState::agrees) agreeing.insert(places[i]);
    for (std::size_t i = 0; i < places.size(); ++i)  // in another iteration
        if (check.modules[i].state == RecordedState::differs) agreeing.erase(places[i]);
    return agreeing;
}

}  // namespace

std::vector<std::string> suspects_of(const Graph& graph, const RecordingCheck& check,
                                     const std::vector<RecordedPlace>& places) {
    const RecordedPlace first = first_differing(graph, check, places);
    if (first.graph == nullptr || !first.value) return {};
    const std::set<RecordedPlace> agreeing = agreeing_places(check, places);
    std::set<NodeId> nodes;
    std::vector<ValueId> open{first.value};
    while (!open.empty()) {
        const ValueId id = open.back();
        open.pop_back();
        if (agreeing.contains({first.graph, id})) continue;
        const Node* const node = writer_of(*first.graph, id);
        if (node == nullptr || !nodes.insert(node->id).second) continue;
        open.insert(open.end(), node->inputs.begin(), node->inputs.end());
        open.insert(open.end(), node->captures.begin(), node->captures.end());
    }
    std::vector<std::string> names;
    for (const NodeId id : structural_order(*first.graph)) {
        const Node& node = first.graph->node(id);
        if (nodes.contains(id) && node.op_type != "Constant")
            names.push_back(node.name.empty() ? node.describe() : node.name);
    }
    // Those next to the value that differs are kept.
    if (names.size() > most_suspects)
        names.erase(names.begin(),
                    names.begin() + static_cast<std::ptrdiff_t>(names.size() - most_suspects));
    return names;
}

}  // namespace lapidary
