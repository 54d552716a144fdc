// SPDX-License-Identifier: Apache-2.0
// Passes of level session by themselves, as sessions and explanations run them.
#include <lapidary/passes/device_passes.h>

#include <algorithm>
#include <iterator>
#include <variant>

#include "graph/copy_model.h"
#include "graph/traversal.h"
#include "passes/pass_list.h"
#include "passes/widened_levels.h"
#include "rewrite/pipeline.h"
#include "rewrite/session_domain.h"

namespace lapidary {

PipelineReport apply_session_passes_for(std::string_view provider, Model& model,
                                        const SessionPasses& passes, const Progress& progress,
                                        std::optional<std::size_t> stop_after) {
    OptimizeOptions options;
    options.provider = provider;
    options.session_passes = passes.set;
    options.disabled_passes = passes.disabled;
    options.stop_after = stop_after;
    const std::vector<std::string> skipped = skipped_passes(options);
    const std::span<const PassEntry> entries = session_entries();
    Pipeline pipeline(model, options, progress, entries, std::span(skipped).last(entries.size()));
    follow_widening_by_levels(pipeline, options, progress);
    pipeline.run();
    return pipeline.take_report();
}

PipelineReport apply_session_passes(Model& model, const SessionPasses& passes,
                                    const Progress& progress,
                                    std::optional<std::size_t> stop_after) {
    return apply_session_passes_for(OptimizeOptions().provider, model, passes, progress,
                                    stop_after);
}

void add_session_report(PipelineReport& report, PipelineReport session) {
    for (PassRun& run : session.passes) {
        const auto known = std::ranges::find_if(report.passes, [&](const PassRun& other) {
            return other.pass == run.pass && other.level == run.level;
        });
        if (known == report.passes.end()) report.passes.push_back(std::move(run));
        else *known = std::move(run);
    }
    std::ranges::move(session.rewrites, std::back_inserter(report.rewrites));
    std::ranges::move(session.near_misses, std::back_inserter(report.near_misses));
    std::ranges::stable_sort(report.near_misses, {}, &NearMiss::shortfall);
}

void explain_session_passes(const Model& model, const OptimizeOptions& options,
                            SessionPasses::Set passes, PipelineReport& report,
                            const Progress& progress) {
    Model copy = copy_model(model, progress.cancel);
    const SessionPasses wanted{passes, options.disabled_passes};
    add_session_report(report, apply_session_passes_for(options.provider, copy, wanted, progress));
}

bool has_session_operators(const Model& model) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        found = found || std::ranges::any_of(graph.nodes(), [&](NodeId id) {
                    return graph.node(id).domain == session_domain;
                });
    });
    return found;
}

}  // namespace lapidary
