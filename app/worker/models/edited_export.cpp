// SPDX-License-Identifier: Apache-2.0
#include "worker/models/edited_export.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/export/passport.h>

#include "worker/models/edited_model.h"

namespace lapidary::app {
namespace {

EditReport edit_optimized(Model& model, const EditScript& script, const Progress& progress) {
    try {
        EditReport report = apply_edits(model, script, {}, progress);
        if (!report.parts.empty())
            fail_input("a line that makes a second model, such as split, is for lapidary-cli edit");
        return report;
    } catch (Error& error) {
        error.at("edits after the level");
        throw;
    }
}

/// What is left to do for a model that is optimized already.
ExportOptions without_optimizing(const ExportOptions& options) {
    ExportOptions rest = options;
    rest.static_batch.reset();
    rest.optimize = OptimizeOptions();
    rest.optimize.level = Level::disabled;
    rest.optimize.near_misses = false;
    rest.optimize.channel_block = options.optimize.channel_block;
    return rest;
}

}  // namespace

EditedExport export_edited(const Model& model, const ExportOptions& options,
                           const EditScript& script, const Progress& progress) {
    EditedExport made;
    if (script.lines.empty()) {
        made.exported = export_model(model, options, progress);
        return made;
    }
    OptimizeOptions optimizing = options.optimize;
    if (options.static_batch)
        optimizing.free_dimensions = static_batch_dimensions(model, *options.static_batch,
                                                             std::move(optimizing.free_dimensions));
    OptimizeResult optimized = optimize(model, optimizing, progress);
    Model edited = optimized.model;
    const std::size_t before = edited.graph.history().size();
    made.edits = edit_optimized(edited, script, progress);
    const std::string lines = to_string(script);
    std::vector<AppliedRewrite> rewrites = rewrites_of_edits(edited, lines, before);
    edited.path.clear();  // the passport is of the source, whose check sum is computed once
    made.exported = export_model(edited, without_optimizing(options), progress);
    made.exported.model.path = model.path;
    made.exported.report = std::move(optimized.report);
    stamp_passport(made.exported, model, options, progress);
    stamp_edits_after(made.exported.model, lines);
    std::ranges::move(rewrites, std::back_inserter(made.exported.report.rewrites));
    made.exported.report.nodes_after = count_nodes(edited.graph);
    made.unedited = std::move(optimized.model);
    return made;
}

}  // namespace lapidary::app
