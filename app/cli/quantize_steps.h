// SPDX-License-Identifier: Apache-2.0
// The steps of the quantize command between its samples and its answer.
#pragma once

#include <lapidary/progress.h>

#include "cli/quantize_text.h"

namespace lapidary::cli {

/// The samples that the options name.
SampleSourcePtr quantize_samples(const QuantizeCommandOptions& options, const ModelPtr& model,
                                 const CancelToken& cancel);

/// Quantizes, judges the written form at both levels, mends what came out badly, and measures. A cancel after there is
/// a model keeps it. Throws what the steps throw, among it invalid_input for labels that do not fit the samples, before
/// anything is quantized.
QuantizeOutcome quantize_in_steps(const QuantizeCommandOptions& options, const ModelPtr& model,
                                  const SampleSourcePtr& samples, const Progress& progress);

/// What the floor is of, of the model as it is now; nothing where there was nothing to count.
std::optional<double> value_now(const AccuracyFloor& floor, const QuantizeOutcome& out);

/// Each sentence once, however many steps have it to say.
void add_note(std::vector<std::string>& notes, const std::string& note);

}  // namespace lapidary::cli
