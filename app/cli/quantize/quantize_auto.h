// SPDX-License-Identifier: Apache-2.0
// `quantize --mode auto`: 8 bits with ranges from samples or from each run, whichever is better for
// the model.
#pragma once

#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {

/// Searches mode static, then mode dynamic, each within half of the budget (0: no limit). Then
/// measures in turn the float model, the best of each mode, and the most accurate dynamic one whose
/// convolutions stay float. The result is best_of() these, with a note about the others. It has the
/// trials of both modes, with the mode in their names. A cancel keeps the results so far. Throws as
/// search_recipes().
SearchResult search_both_modes(const ModelPtr& model, const QuantizeCommandOptions& options,
                               const SampleSourcePtr& samples, const Progress& progress,
                               const TrialSeen& on_trial);

}  // namespace lapidary::cli
