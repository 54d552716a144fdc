// SPDX-License-Identifier: Apache-2.0
#include <lapidary/passes/optimize.h>

#include <set>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/passes/user_rules.h>

#include "graph/copy_model.h"
#include "passes/pass_list.h"
#include "passes/user/user_passes.h"
#include "passes/widened_levels.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

void check_dimensions(const Model& model, const OptimizeOptions& options) {
    std::set<std::string> known;
    for (ValueId id : model.graph.inputs())
        if (const Type& type = model.graph.value(id).type; type.shape)
            for (const Dim& dim : *type.shape)
                if (dim.is_symbolic()) known.insert(dim.symbol());
    for (const auto& [name, size] : options.free_dimensions) {
        if (size < 0) fail_input("dimension " + quote(name) + " cannot be " + std::to_string(size));
        if (known.contains(name)) continue;
        std::string list;
        for (const std::string& k : known) list += (list.empty() ? "" : ", ") + quote(k);
        fail_input("no input has a dimension named " + quote(name) + "; " +
                   (list.empty() ? "all are fixed" : "there are " + list) +
                   did_you_mean(name, {known.begin(), known.end()}));
    }
}

/// Names of rules where there are no rules: a mistake that would go unnoticed.
void check_rule_names(const OptimizeOptions& options) {
    if (!options.rules.empty()) return;
    for (const auto* names :
         {&options.disabled_passes, &options.enabled_passes, &options.only_passes})
        for (const std::string& name : *names)
            if (name.starts_with(user_pass_prefix))
                fail_input("there is no pass named " + quote(name) + "; no rules are given");
}

/// Rules that still changed something in the last sweep: each undoes what another one makes.
void check_rules_ended(const PipelineReport& report, const OptimizeOptions& options) {
    if (report.fixed_point || options.stop_after) return;
    std::string names;
    for (const PassRun& run : report.passes)
        if (run.level == Level::user && run.applied >= static_cast<std::size_t>(report.sweeps))
            names += (names.empty() ? "" : ", ") + quote(run.pass);
    if (!names.empty())
        fail_input("after " + std::to_string(report.sweeps) +
                   " sweeps over all passes these rules still change the model: " + names +
                   "; each may undo what another rule or pass makes of it");
}

}  // namespace

OptimizeResult optimize(const Model& model, const OptimizeOptions& options,
                        const Progress& progress) {
    check_dimensions(model, options);
    check_rule_names(options);
    UserPasses user;
    add_user_passes(options.rules, user);
    const std::vector<PassEntry> entries = entries_with(user);
    std::vector<std::string> skipped = skipped_passes(options, entries);
    for (;;) {
        OptimizeResult result{copy_model(model, progress.cancel), {}};
        Pipeline pipeline(result.model, options, progress, entries, skipped);
        follow_widening_by_levels(pipeline, options, progress);
        try {
            pipeline.run();
        } catch (const Error&) {
            // The model is valid, so it is optimized again without the pass that made an invalid
            // node.
            const auto& refused = pipeline.refused();
            if (!refused || !skipped[refused->pass].empty()) throw;
            skipped[refused->pass] = refused->reason;
            continue;
        }
        result.report = pipeline.take_report();
        check_rules_ended(result.report, options);
        return result;
    }
}

}  // namespace lapidary
