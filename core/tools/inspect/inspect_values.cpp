// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/inspect_values.h>

#include <utility>

#include <lapidary/exec/session.h>
#include <lapidary/exec/step_observer.h>

#include "inspect/value_choice.h"
#include "inspect/value_summary.h"

namespace lapidary {
namespace {

/// Looks at the chosen inputs and outputs of nodes.
class ChosenObserver final : public StepObserver {
public:
    ChosenObserver(const ChosenValues& chosen, ValueSummaries& summaries)
        : chosen_(chosen), summaries_(summaries) {}

    void graph_begins(ObservedGraph& graph) override {
        for (ValueId id : graph.graph().inputs()) look(graph, id);
    }
    void node_ran(ObservedGraph& graph, const Node& node) override {
        for (ValueId id : node.outputs) look(graph, id);
    }

private:
    void look(ObservedGraph& graph, ValueId id) {
        if (!chosen_.has(graph.graph(), id)) return;
        std::vector<std::int64_t> iterations = graph.iterations();
        if (!chosen_.has_iteration(iterations)) return;
        InspectedValue place = place_of(graph.graph(), id);
        place.path = graph.path();
        place.iterations = std::move(iterations);
        summaries_.add(std::move(place), graph.value(id));
    }

    const ChosenValues& chosen_;
    ValueSummaries& summaries_;
};

/// The chosen constants of the graph that runs. Kernels may hold their elements in a form of their
/// own, so those of `model` are read.
void add_constants(const Model& model, const Graph& main, const ChosenValues& chosen,
                   ValueSummaries& summaries) {
    for_each_body(main, "", [&](const Graph& graph, const std::string& path) {
        for (ValueId id : graph.initializers()) {
            if (!chosen.has(graph, id)) continue;
            const Value& value = graph.value(id);
            RuntimeValue constant = path.empty() ? constant_value(model.graph, value.name)
                                                 : RuntimeValue(*value.constant);
            if (constant.is_empty() && value.constant) constant = *value.constant;
            if (constant.tensor().size() > 0 && constant.tensor().raw() == nullptr) continue;
            InspectedValue place = place_of(graph, id);
            place.path = path;
            summaries.add(std::move(place), constant);
        }
    });
}

}  // namespace

Inspection inspect_values(const ModelPtr& model, const NamedValues& inputs,
                          const InspectOptions& options, const Progress& progress) {
    Session session = Session::compile(model, options.session, progress);
    const Graph& graph = session.model().graph;
    const ChosenValues chosen(graph, options.choice);
    ValueSummaries summaries(options, progress.cancel);
    add_constants(*model, graph, chosen, summaries);
    ChosenObserver observer(chosen, summaries);
    RunOptions running;
    running.cancel = progress.cancel;
    running.observer = &observer;
    running.progress = [&](int done, int total) {
        progress.step("run", static_cast<double>(done) / total);
    };
    progress.step("run", 0);
    if (chosen.needs_run()) session.run(inputs, running);
    Inspection inspection = summaries.take();
    inspection.threads = session.threads();
    return inspection;
}

}  // namespace lapidary
