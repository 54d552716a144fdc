// SPDX-License-Identifier: Apache-2.0
// Values inside of a model over several runs of one session, for example over the tokens that a
// decoder generates: what inspect_values() says of them, for each run.
#pragma once

#include <memory>

#include <lapidary/base/progress.h>
#include <lapidary/exec/step_observer.h>
#include <lapidary/graph/model.h>
#include <lapidary/inspect/inspect_values.h>

namespace lapidary {

/// An observer of runs (RunOptions::observer). Runs are counted from 0 as they begin. Nothing is
/// kept but what InspectOptions asks for, of at most InspectOptions::most_values values in all runs
/// together. Not for runs at the same time.
class ValueWatch final : public StepObserver {
public:
    /// `main`: Session::model().graph of the session that will run; it outlives the watch. Throws
    /// invalid_input with the nearest names for a name, a pattern or a scope that nothing has.
    ValueWatch(const Graph& main, InspectOptions options, const CancelToken& cancel = {});
    ~ValueWatch() override;

    /// Called by runs: looks at the inputs.
    void graph_begins(ObservedGraph& graph) override;
    /// Called by runs: looks at what the node wrote.
    void node_ran(ObservedGraph& graph, const Node& node) override;

    /// False where constants alone are chosen, which no run changes.
    bool needs_run() const;
    /// Adds the chosen constants; their elements are those of `model`, which the session was
    /// compiled from.
    void add_constants(const Model& model);
    /// What was seen so far, in the order in which it came to be. Call it once.
    Inspection take();

private:
    struct State;
    void look(ObservedGraph& graph, ValueId id);
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
