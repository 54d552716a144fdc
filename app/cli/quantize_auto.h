// SPDX-License-Identifier: Apache-2.0
// `quantize --mode auto`: 8 bits with ranges from samples or from each run, whichever comes out better here.
#pragma once

#include <lapidary/quantize.h>

namespace lapidary::cli {

/// Searches mode static, then mode dynamic, each within half of `budget_seconds` (0: no limit), and keeps the one that
/// is more accurate by 3 dB or more, else the smaller one; one that takes longer than the float model only where both
/// do. Trials of both, called after their mode; a note of the best says what the other reached. A cancel keeps what is
/// there. Throws as search_recipes().
SearchResult search_both_modes(const ModelPtr& model, const QuantizeOptions& options, const SampleSourcePtr& samples,
                               double budget_seconds, const Progress& progress, const TrialSeen& on_trial);

}  // namespace lapidary::cli
