// SPDX-License-Identifier: Apache-2.0
#include "passes/widened_levels.h"

#include <utility>

#include <lapidary/base/error.h>

#include "graph/copy_model.h"
#include "passes/pass_list.h"

namespace lapidary {
namespace {

PipelineReport optimize_widened(Model& model, OptimizeOptions options, const Progress& progress,
                                std::optional<std::size_t> stop_after) {
    options.level = default_run_level;
    options.session_passes = SessionPasses::Set::none;
    options.stop_after = stop_after;
    options.near_misses = false;  // those of the model at its level have been reported
    options.keep_outputs.clear();
    const std::span<const PassEntry> all = pass_entries(),
                                     entries = all.first(all.size() - session_entries().size());
    std::vector<std::string> skipped = skipped_passes(options);
    skipped.resize(entries.size());
    const Progress quiet{progress.cancel, {}};
    for (;;) {
        Model copy = copy_model(model, progress.cancel);
        Pipeline levels(copy, options, quiet, entries, skipped);
        try {
            levels.run();
        } catch (const Error&) {
            // The model is valid, so it is optimized again without the pass that made an invalid
            // node.
            const auto& refused = levels.refused();
            if (!refused || !skipped[refused->pass].empty()) throw;
            skipped[refused->pass] = refused->reason;
            continue;
        }
        model = std::move(copy);
        return levels.take_report();
    }
}

}  // namespace

void follow_widening_by_levels(Pipeline& pipeline, const OptimizeOptions& options,
                               const Progress& progress) {
    if (options.session_passes != SessionPasses::Set::all || options.provider != "cpu") return;
    pipeline.follow_widening(
        [&options, progress](Model& model, std::optional<std::size_t> stop_after) {
            return optimize_widened(model, options, progress, stop_after);
        });
}

}  // namespace lapidary
