// SPDX-License-Identifier: Apache-2.0
#include "inspect/recorded_suspects.h"

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "inspect/node_sequence.h"

namespace lapidary {
namespace {

constexpr std::size_t most_suspects = 64;

/// The first value that differs: inside, or else an output. One of another shape says nothing
/// about what its nodes compute.
RecordedPlace first_differing(const Graph& graph, const RecordingCheck& check,
                              const std::vector<RecordedPlace>& places) {
    if (check.first) return places[*check.first];
    for (const CheckedRecordedOutput& output : check.outputs)
        if (!output.comparison.matches && output.comparison.elements > 0)
            return {&graph, graph.find_value(output.name)};
    return {};
}

/// Values that agreed before the first one differed. In a body, one that agreed in an earlier
/// iteration and differs in this one is none.
std::set<RecordedPlace> agreeing_places(const RecordingCheck& check,
                                        const std::vector<RecordedPlace>& places) {
    const std::size_t end = check.first.value_or(places.size());
    std::set<RecordedPlace> agreeing;
    for (std::size_t i = 0; i < end; ++i)
        if (check.modules[i].state == RecordedState::agrees) agreeing.insert(places[i]);
    if (check.first) agreeing.erase(places[end]);
    return agreeing;
}

/// A graph and the node that it is a body of.
struct Body {
    const Graph* outer = nullptr;  // null: the main graph
    NodeId node;                   // of `outer`
};

void add_bodies(const Graph& graph, std::map<const Graph*, Body>& bodies) {
    for (const NodeId id : graph.nodes())
        for (const Attribute& attribute : graph.node(id).attributes)
            if (const auto* const body = std::get_if<GraphPtr>(&attribute.value); body && *body) {
                bodies[body->get()] = {&graph, id};
                add_bodies(**body, bodies);
            }
}

/// Walks from a value against the flow of data.
class SuspectSearch {
public:
    SuspectSearch(const Graph& graph, std::set<RecordedPlace> agreeing)
        : graph_(graph), agreeing_(std::move(agreeing)) {
        add_bodies(graph, bodies_);
    }

    void walk_from(const RecordedPlace& first) {
        open_.push_back(first);
        while (!open_.empty()) {
            const RecordedPlace place = open_.back();
            open_.pop_back();
            if (!place.value || agreeing_.contains(place) || !seen_.insert(place).second) continue;
            if (const Node* const node = writer_of(*place.graph, place.value))
                add_node(*place.graph, *node);
            else leave_body(place);
        }
    }

    /// In the order of data flow, bodies after the graphs around them.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        add_names(graph_, names);
        for (const auto& [body, unused] : bodies_) add_names(*body, names);
        return names;
    }

private:
    void add_node(const Graph& graph, const Node& node) {
        nodes_.insert({&graph, node.id});
        for (const ValueId input : node.inputs) open_.push_back({&graph, input});
        for (const ValueId captured : node.captures) open_.push_back({&graph, captured});
    }

    /// An input of a body is given by the node around it, or by the iteration before.
    void leave_body(const RecordedPlace& place) {
        const auto body = bodies_.find(place.graph);
        if (body == bodies_.end()) return;
        const Value& value = place.graph->value(place.value);
        const Graph& outer = *body->second.outer;
        if (value.kind == ValueKind::captured) open_.push_back({&outer, value.outer});
        if (value.kind != ValueKind::input) return;
        for (const ValueId output : place.graph->outputs()) open_.push_back({place.graph, output});
        for (const ValueId input : outer.node(body->second.node).inputs)
            open_.push_back({&outer, input});
    }

    void add_names(const Graph& graph, std::vector<std::string>& names) const {
        for (const NodeId id : structural_order(graph)) {
            const Node& node = graph.node(id);
            if (nodes_.contains({&graph, id}) && node.op_type != "Constant")
                names.push_back(node.name.empty() ? node.describe() : node.name);
        }
    }

    const Graph& graph_;
    const std::set<RecordedPlace> agreeing_;
    std::map<const Graph*, Body> bodies_;
    std::vector<RecordedPlace> open_;
    std::set<RecordedPlace> seen_;
    std::set<std::pair<const Graph*, NodeId>> nodes_;
};

}  // namespace

std::vector<std::string> suspects_of(const Graph& graph, const RecordingCheck& check,
                                     const std::vector<RecordedPlace>& places) {
    const RecordedPlace first = first_differing(graph, check, places);
    if (first.graph == nullptr) return {};
    SuspectSearch search(graph, agreeing_places(check, places));
    search.walk_from(first);
    std::vector<std::string> names = search.names();
    // Those next to the value that differs are kept.
    if (names.size() > most_suspects)
        names.erase(names.begin(),
                    names.begin() + static_cast<std::ptrdiff_t>(names.size() - most_suspects));
    return names;
}

}  // namespace lapidary
