// SPDX-License-Identifier: Apache-2.0
// The steps of the quantize command between its samples and its answer.
#pragma once

#include <functional>

#include <lapidary/inputs/preprocessing.h>
#include <lapidary/base/progress.h>

#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {

/// Takes a line that is to be seen before a long step begins.
using SayLine = std::function<void(const std::string& line)>;

/// The samples that the options name.
SampleSourcePtr quantize_samples(const QuantizeCommandOptions& options, const ModelPtr& model,
                                 const CancelToken& cancel);

/// Counts the float model's right answers, quantizes, judges the written form at both levels, mends
/// what came out badly, and measures. A cancel after there is a model keeps it. `labels` may be
/// null. Throws what the steps throw, among it invalid_input for labels of another count than the
/// samples, before anything is quantized.
QuantizeOutcome quantize_in_steps(const QuantizeCommandOptions& options, const ModelPtr& model,
                                  const PreparedSamples& samples, const Labels* labels,
                                  const SayLine& say, const Progress& progress);

/// What the floor is of, of the model as it is now; nothing where there was nothing to count.
std::optional<double> value_now(const AccuracyFloor& floor, const QuantizeOutcome& out);

/// Each sentence once, however many steps have it to say.
void add_note(std::vector<std::string>& notes, const std::string& note);

}  // namespace lapidary::cli
