// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inspect/first_difference.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <lapidary/base/error.h>

#include "inspect/divergence_search.h"
#include "inspect/lockstep.h"
#include "inspect/memory_copies.h"
#include "inspect/rounding_noise.h"
#include "inspect/value_judge.h"

namespace lapidary {
namespace {

// Of one node alone by plain kernels; each takes a session of its own.
constexpr int most_noise_runs = 32;

/// Judges each node of B alone: it reads the values of A, and the nodes behind it read A's value
/// instead of what it wrote.
class NodeJudge {
public:
    NodeJudge(DivergenceRecord& record, const DivergenceSide& b, const Progress& progress)
        : record_(record), b_(b), progress_(progress) {}

    void judge(const MetValue& met) {
        if (!record_.wants(met.pair)) return;
        const ValueId id = met.id_b;
        const RuntimeValue in_b = met.graph_b.value(id);
        const Comparison equal = compare(in_b, met.in_a, {0, 0});
        if (equal.matches) return record_.note_alone(met.pair, equal, std::nullopt);
        // An input that could not be made that of A: what follows from it says nothing.
        const NodeRegion region = record_.region_b(met.pair);
        const auto is_other = [&](ValueId input) {
            return others_.contains(record_.values().of_b(*region.graph, input));
        };
        if (std::ranges::any_of(region.inputs, is_other)) {
            others_.insert(met.pair);
            return;
        }
        judge_alone(met, region, in_b);
        const RuntimeValue replacement = as_type_of(met.in_a, in_b);
        if (overflows_in(met.in_a, in_b)) others_.insert(met.pair);
        else if (in_b.is_tensor() && replacement.is_tensor() &&
                 (in_b.tensor().shape() != replacement.tensor().shape() ||
                  in_b.tensor().dtype() != replacement.tensor().dtype()))
            others_.insert(met.pair);
        else met.graph_b.replace(id, owned_copy(replacement));
    }

private:
    void judge_alone(const MetValue& met, const NodeRegion& region, const RuntimeValue& in_b) {
        Comparison alone = compare_one_node(met.in_a, in_b);
        record_.note_alone(met.pair, alone, std::nullopt);
        if (alone.matches || record_.has_cause(met.pair) || !record_.has_room()) return;
        std::optional<double> noise;
        if (alone.elements > 0 && std::isfinite(alone.max_abs) && met.graph_b.path().empty() &&
            noise_runs_ < most_noise_runs) {
            ++noise_runs_;
            const std::string& name =
                region.graph->value(record_.values().pairs()[met.pair].b).name;
            noise = rounding_noise(
                *b_.model, region, name, in_b,
                [&](ValueId input) {
                    return met.graph_b.value(value_before_copies(met.graph_b.graph(), input));
                },
                progress_);
        }
        record_.note_alone(met.pair, alone, noise);
        if (noise) alone = compare_one_node(met.in_a, in_b, allowed_noise * *noise);
        // What cannot run alone is judged by the rule, which knows nothing of how many levels of a
        // quantizer differ.
        else if (!are_levels(met.in_a, in_b) &&
                 compare_in_runs(met.in_a, in_b, same_result).matches)
            return;
        if (alone.matches) return;
        record_.add_cause(met.pair, met.graph_b.path(), met.graph_b.iterations(), alone, noise);
    }

    DivergenceRecord& record_;
    const DivergenceSide& b_;
    const Progress& progress_;
    std::set<std::size_t> others_;  // pairs whose values of B are not those of A
    int noise_runs_ = 0;
};

Session compile_side(const DivergenceSide& side, const Progress& progress) {
    SessionOptions options = side.session;
    options.resources.spinning = false;  // its threads wait while the other side runs
    options.resources.mode = ExecutionMode::sequential;
    return Session::compile(side.model, options, progress);
}

}  // namespace

Divergence find_first_difference(const DivergenceSide& a, const DivergenceSide& b,
                                 const NamedValues& inputs, const DivergenceOptions& options,
                                 const Progress& progress) {
    if (a.engine || b.engine) return find_with_engine(a, b, inputs, options, progress);
    Session session_a = compile_side(a, progress), session_b = compile_side(b, progress);
    const Graph &graph_a = session_a.model().graph, &graph_b = session_b.model().graph;
    DivergenceRecord record(a, graph_a, b, graph_b, options);
    const NamedValues of_b = inputs_of_b(record.values(), graph_a, graph_b, inputs);
    const auto in_runs = [&](const MetValue& met) {
        if (!record.wants(met.pair)) return;
        const RuntimeValue in_b = met.graph_b.value(met.id_b);
        record.note(met.pair, met.graph_b.path(),
                    compare_in_runs(met.in_a, in_b, options.tolerance),
                    rounding_of_one_node(met.in_a, in_b).rtol);
    };
    progress.step("run both", 0);
    Lockstep both(record.values(), in_runs);
    both.run(session_a, inputs, session_b, of_b, progress);
    record.note_kept(both.most_kept());
    if (!record.is_any_beyond()) return record.finish(2, 0);

    progress.step("judge each node", 0);
    NodeJudge judge(record, b, progress);
    Lockstep each(record.values(), [&](const MetValue& met) { judge.judge(met); });
    try {
        each.run(session_a, inputs, session_b, of_b, progress);
    } catch (const Error& error) {
        // Nodes behind the first cause may not take the values of A.
        if (error.code() == ErrorCode::cancelled || !record.has_causes()) throw;
    }
    record.note_kept(each.most_kept());
    return record.finish(4, 0);
}

}  // namespace lapidary
