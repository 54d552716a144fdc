// SPDX-License-Identifier: Apache-2.0
// An export with the edits that a recipe has after its level.
#pragma once

#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/export/export_model.h>
#include <lapidary/graph/model.h>

namespace lapidary::app {

struct EditedExport {
    ExportResult
        exported;  // its report has the lines as rewrites of pass "edit", behind the others
    /// the optimized model before the lines; nothing where there is none
    std::optional<Model> unedited;
    EditReport edits;
};

/// export_model() of a model that the lines are applied to between optimizing it and whatever the
/// target, the opset and the release ask for. The passport has the lines. Throws what
/// export_model() and apply_edits() throw, for the latter with the place "edits after the level",
/// and invalid_input for a line that makes a second model.
EditedExport export_edited(const Model& model, const ExportOptions& options,
                           const EditScript& script, const Progress& progress);

}  // namespace lapidary::app
