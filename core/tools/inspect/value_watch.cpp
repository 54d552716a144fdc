// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/value_watch.h>

#include <utility>

#include "inspect/value_choice.h"
#include "inspect/value_summary.h"

namespace lapidary {

struct ValueWatch::State {
    State(const Graph& graph, InspectOptions given, const CancelToken& cancel)
        : main(graph), options(std::move(given)), chosen(graph, options.choice),
          summaries(options, cancel) {}

    const Graph& main;
    const InspectOptions options;
    const ChosenValues chosen;
    ValueSummaries summaries;
    std::int64_t begun = 0;  // runs
};

ValueWatch::ValueWatch(const Graph& main, InspectOptions options, const CancelToken& cancel)
    : state_(std::make_unique<State>(main, std::move(options), cancel)) {}
ValueWatch::~ValueWatch() = default;

bool ValueWatch::needs_run() const { return state_->chosen.needs_run(); }
Inspection ValueWatch::take() { return state_->summaries.take(); }

void ValueWatch::graph_begins(ObservedGraph& graph) {
    if (&graph.graph() == &state_->main) ++state_->begun;
    for (ValueId id : graph.graph().inputs()) look(graph, id);
}

void ValueWatch::node_ran(ObservedGraph& graph, const Node& node) {
    for (ValueId id : node.outputs) look(graph, id);
}

void ValueWatch::look(ObservedGraph& graph, ValueId id) {
    if (!state_->chosen.has(graph.graph(), id)) return;
    std::vector<std::int64_t> iterations = graph.iterations();
    if (!state_->chosen.has_iteration(iterations)) return;
    InspectedValue place = place_of(graph.graph(), id);
    place.run = state_->begun - 1;
    place.path = graph.path();
    place.iterations = std::move(iterations);
    state_->summaries.add(std::move(place), graph.value(id));
}

void ValueWatch::add_constants(const Model& model) {
    for_each_body(state_->main, "", [&](const Graph& graph, const std::string& path) {
        for (ValueId id : graph.initializers()) {
            if (!state_->chosen.has(graph, id)) continue;
            const Value& value = graph.value(id);
            RuntimeValue constant = path.empty() ? constant_value(model.graph, value.name)
                                                 : RuntimeValue(*value.constant);
            if (constant.is_empty() && value.constant) constant = *value.constant;
            if (constant.tensor().size() > 0 && constant.tensor().raw() == nullptr) continue;
            InspectedValue place = place_of(graph, id);
            place.path = path;
            state_->summaries.add(std::move(place), constant);
            // Kernels may have copies of weights; together with all pages of the file they would
            // take twice the memory of a plain run.
            constant.tensor().drop_pages();
        }
    });
}

}  // namespace lapidary
