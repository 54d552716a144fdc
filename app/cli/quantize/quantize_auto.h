// SPDX-License-Identifier: Apache-2.0
// `quantize --mode auto`: 8 bits with ranges from samples or from each run, whichever comes out
// better here.
#pragma once

#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {

/// Searches mode static, then mode dynamic, each within half of the budget (0: no limit). The best
/// of each, and the most accurate dynamic one whose convolutions stay float, are timed beside the
/// float model in turn; best_of() them is kept. Trials of both, called after their mode; a note of
/// the best says what the others reached. A cancel keeps what is there. Throws as search_recipes().
SearchResult search_both_modes(const ModelPtr& model, const QuantizeCommandOptions& options,
                               const SampleSourcePtr& samples, const Progress& progress,
                               const TrialSeen& on_trial);

}  // namespace lapidary::cli
