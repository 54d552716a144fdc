// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/step_observer.h>

#include "inspect/divergence_search.h"
#include "inspect/engine_values.h"
#include "inspect/rounding_noise.h"
#include "inspect/value_judge.h"

namespace lapidary {
namespace {

// Nodes that run alone in the other engine, each in a session of its own.
constexpr int most_trials = 64;
// An output that differs by so many times the difference of the inputs is looked at alone.
constexpr double growth = 4;

/// Compares the values of a run here with those of the other engine. Where an output differs by
/// more than the inputs do, the node runs alone in the other engine, on the inputs from here.
class EngineObserver final : public StepObserver {
public:
    EngineObserver(DivergenceRecord& record, bool is_here_a, const DivergenceSide& there,
                   EngineValues& values, const DivergenceOptions& options, const Progress& progress)
        : record_(record), is_here_a_(is_here_a), there_(there), values_(values), options_(options),
          progress_(progress), relative_(record.values().pairs().size(), 0) {}

    void node_ran(ObservedGraph& graph, const Node& node) override {
        if (!graph.path().empty()) return;
        for (ValueId id : node.outputs) {
            const std::size_t pair = is_here_a_ ? record_.values().of_a(graph.graph(), id)
                                                : record_.values().of_b(graph.graph(), id);
            if (pair != MatchedValues::none && record_.wants(pair)) compare_pair(graph, id, pair);
        }
    }

private:
    std::string name_there(std::size_t pair) const {
        const MatchedValue& matched = record_.values().pairs()[pair];
        return is_here_a_ ? matched.graph_b->value(matched.b).name
                          : matched.graph_a->value(matched.a).name;
    }

    /// compare_one_node() with the side of A as what is expected.
    Comparison alone(const RuntimeValue& here, const RuntimeValue& there, double further) const {
        return is_here_a_ ? compare_one_node(here, there, further)
                          : compare_one_node(there, here, further);
    }

    void compare_pair(ObservedGraph& graph, ValueId id, std::size_t pair) {
        const RuntimeValue here = graph.value(id);
        const RuntimeValue& there = values_.value(name_there(pair));
        if (there.is_empty()) return;
        const Comparison in_runs = is_here_a_ ? compare_in_runs(here, there, options_.tolerance)
                                              : compare_in_runs(there, here, options_.tolerance);
        record_.note(pair, graph.path(), in_runs, rounding_of_one_node(here, there).rtol);
        const bool is_number = here.is_tensor() && is_float(here.tensor().dtype());
        relative_[pair] = is_number || in_runs.mismatches == 0
                              ? in_runs.relative()
                              : std::numeric_limits<double>::infinity();
        if (alone(here, there, 0).matches || !record_.has_room() || trials_ >= most_trials) return;
        const NodeRegion of_here = is_here_a_ ? record_.region_a(pair) : record_.region_b(pair);
        double of_inputs = 0;
        for (ValueId input : of_here.inputs)
            if (const std::size_t read = is_here_a_ ? record_.values().of_a(*of_here.graph, input)
                                                    : record_.values().of_b(*of_here.graph, input);
                read != MatchedValues::none)
                of_inputs = std::max(of_inputs, relative_[read]);
        if (relative_[pair] > growth * of_inputs) try_alone(graph, here, there, pair);
    }

    void try_alone(ObservedGraph& graph, const RuntimeValue& here, const RuntimeValue& there,
                   std::size_t pair) {
        ++trials_;
        const NodeRegion region = is_here_a_ ? record_.region_b(pair) : record_.region_a(pair);
        const RegionInput input = [&](ValueId of_there) -> RuntimeValue {
            const std::size_t read = is_here_a_ ? record_.values().of_b(*region.graph, of_there)
                                                : record_.values().of_a(*region.graph, of_there);
            if (read == MatchedValues::none) return {};
            const MatchedValue& matched = record_.values().pairs()[read];
            const RuntimeValue value = graph.value(is_here_a_ ? matched.a : matched.b);
            const Value& wanted = region.graph->value(of_there);
            return value.is_tensor() && wanted.type.is_tensor()
                       ? as_type_of(value, Tensor(wanted.type.dtype, {0}))
                       : value;
        };
        const std::string name = name_there(pair);
        const RuntimeValue run_there =
            run_region(*there_.model, region, name, input, there_.engine, progress_);
        const RuntimeValue& judged = run_there.is_empty() ? there : run_there;
        Comparison comparison = alone(here, judged, 0);
        record_.note_alone(pair, comparison, std::nullopt);
        if (comparison.matches) return;
        const auto noise = rounding_noise(*there_.model, region, name, judged, input, progress_);
        record_.note_alone(pair, comparison, noise);
        if (noise) comparison = alone(here, judged, allowed_noise * *noise);
        if (!comparison.matches) record_.add_cause(pair, graph.path(), {}, comparison, noise);
    }

    DivergenceRecord& record_;
    const bool is_here_a_;
    const DivergenceSide& there_;
    EngineValues& values_;
    const DivergenceOptions& options_;
    const Progress& progress_;
    std::vector<double> relative_;  // by pair: the difference in the two runs
    int trials_ = 0;
};

/// Names of values that the other engine returns, in the order in which nodes here write them.
std::vector<std::string> wanted_values(const DivergenceRecord& record, const Graph& here,
                                       bool is_here_a) {
    const MatchedValues& values = record.values();
    std::vector<std::string> wanted;
    for (NodeId node : here.nodes())
        for (ValueId id : here.node(node).outputs) {
            const std::size_t pair = is_here_a ? values.of_a(here, id) : values.of_b(here, id);
            if (pair == MatchedValues::none || !record.wants(pair)) continue;
            const MatchedValue& matched = values.pairs()[pair];
            const Value& there =
                is_here_a ? matched.graph_b->value(matched.b) : matched.graph_a->value(matched.a);
            if (there.kind == ValueKind::node_output && there.type.kind != Type::Kind::optional)
                wanted.push_back(there.name);
        }
    return wanted;
}

}  // namespace

Divergence find_with_engine(const DivergenceSide& a, const DivergenceSide& b,
                            const NamedValues& inputs, const DivergenceOptions& options,
                            const Progress& progress) {
    if (a.engine && b.engine)
        fail_input("one of the two sides has to run in this program's own engine");
    const bool is_here_a = !a.engine;
    const DivergenceSide& here = is_here_a ? a : b;
    const DivergenceSide& there = is_here_a ? b : a;
    SessionOptions session_options = here.session;
    session_options.resources.mode = ExecutionMode::sequential;
    Session session = Session::compile(here.model, session_options, progress);
    const Graph& graph_here = session.model().graph;
    const Graph& graph_a = is_here_a ? graph_here : there.model->graph;
    const Graph& graph_b = is_here_a ? there.model->graph : graph_here;
    DivergenceRecord record(a, graph_a, b, graph_b, options);
    const NamedValues of_b = inputs_of_b(record.values(), graph_a, graph_b, inputs);
    EngineValues values(there.engine, *there.model, is_here_a ? of_b : inputs,
                        wanted_values(record, graph_here, is_here_a), options.slice_bytes,
                        {progress.cancel, {}});
    EngineObserver observer(record, is_here_a, there, values, options, progress);
    RunOptions running;
    running.cancel = progress.cancel;
    running.observer = &observer;
    running.progress = [&](int done, int total) {
        progress.step("compare with the other engine", static_cast<double>(done) / total);
    };
    session.run(is_here_a ? inputs : of_b, running);
    return record.finish(1, values.runs());
}

}  // namespace lapidary
