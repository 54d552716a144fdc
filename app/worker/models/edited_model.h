// SPDX-License-Identifier: Apache-2.0
// A model with the edits of a recipe.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::app {

/// The model after the lines of a script (lapidary/edit/edit_script.h), types inferred; the model
/// itself for an empty script. Files that lines name are found from the model's folder. Throws
/// invalid_input naming the line that cannot be done or makes the model invalid.
ModelPtr edited_model(const ModelPtr& model, const std::string& script, const Progress& progress);

/// The same after the first lines of the script alone.
ModelPtr edited_model(const ModelPtr& model, const std::string& script, std::size_t lines,
                      const Progress& progress);

/// What a level made, after the lines of a recipe's second script (Recipe::edits_after). Throws
/// what edited_model() throws, with that place.
ModelPtr edited_after_level(const ModelPtr& optimized, const std::string& script,
                            const Progress& progress);

/// The lines of the script as rewrites of pass "edit", one for each line, from the model with the
/// edits. Lines that changed no node have none. `begin`: where the script begins in the history of
/// the model's graph.
std::vector<AppliedRewrite> rewrites_of_edits(const Model& edited, const std::string& script,
                                              std::size_t begin = 0);

/// The same for a model that is only looked at: a line may leave it invalid. `problems` gets what
/// is wrong with the result; empty: it is valid.
ModelPtr edited_model_as_it_is(const ModelPtr& model, const std::string& script,
                               std::vector<EditProblem>& problems, const Progress& progress);

/// What the script does, and what keeps the result from being valid. Throws invalid_input naming
/// the line that cannot be done.
EditReport try_edits(const Model& model, const std::string& script, const Progress& progress);

}  // namespace lapidary::app
