// SPDX-License-Identifier: Apache-2.0
#include <lapidary/node_times/node_comparison.h>

#include <lapidary/base/error.h>
#include <lapidary/cost/cost_rollback.h>

#include "node_times/compared_groups.h"
#include "node_times/paired_runs.h"
#include "node_times/recorded_engine.h"

namespace lapidary {
namespace {

std::unique_ptr<RecordedEngine> open_recorded(const RecordedModel& model,
                                              const ComparedEngine& engine,
                                              const Progress& progress) {
    if (engine.onnxruntime) return record_onnxruntime(model, *engine.onnxruntime, progress);
    if (engine.plugin) return record_plugin(model, *engine.plugin, progress);
    return record_own(model, engine.level, engine.session, progress);
}

}  // namespace

std::size_t most_recorded_pairs(const Model& model) { return most_pairs(model.graph.node_count()); }

NodeComparison compare_nodes(const ModelPtr& model, const std::filesystem::path& file,
                             const ComparedEngine& a, const ComparedEngine& b,
                             const NamedValues& inputs, const NodeComparisonOptions& options,
                             const Progress& progress) {
    const std::size_t most = most_recorded_pairs(*model);
    if (options.pairs > 0 && static_cast<std::size_t>(options.pairs) > most)
        fail_input("a recording of this model holds at most " + std::to_string(most) +
                   " pairs of runs, and " + std::to_string(options.pairs) + " are wanted");
    const RecordedModel recorded{model, file, inputs};
    const auto engine_a = open_recorded(recorded, a, progress);
    const auto engine_b = open_recorded(recorded, b, progress);
    run_in_pairs(*engine_a, *engine_b, most, options, progress);
    const RecordedTimes times_a = engine_a->finish(progress), times_b = engine_b->finish(progress);
    return compare_recordings(sized_for(*model, inputs, progress).graph, times_a, times_b);
}

}  // namespace lapidary
