// SPDX-License-Identifier: Apache-2.0
// The steps of the quantize command, from its samples to its outcome.
#pragma once

#include <functional>

#include <lapidary/inputs/preprocessing.h>
#include <lapidary/base/progress.h>

#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {

/// Prints a line before a long step begins.
using SayLine = std::function<void(const std::string& line)>;

/// The samples that the options name.
SampleSourcePtr quantize_samples(const QuantizeCommandOptions& options, const ModelPtr& model,
                                 const CancelToken& cancel);

/// Quantizes as the options say. Weights that an earlier run to the same file had done are taken,
/// as resume_quantization() does.
QuantizeResult quantized_for(const QuantizeCommandOptions& options, const Model& model,
                             const SampleSource* samples, const Progress& progress);

/// Counts the float model's right answers, quantizes, judges the written form at both levels,
/// repairs a bad result, and measures. A cancel keeps a model that is already made. `labels` may be
/// null. Throws what the steps throw, and invalid_input before anything is quantized if the numbers
/// of labels and samples differ.
QuantizeOutcome quantize_in_steps(const QuantizeCommandOptions& options, const ModelPtr& model,
                                  const PreparedSamples& samples, const Labels* labels,
                                  const SayLine& say, const Progress& progress);

/// The figure that the floor limits, for the current model; empty if it cannot be determined.
std::optional<double> value_now(const AccuracyFloor& floor, const QuantizeOutcome& out);

/// Adds the note unless the list has it already.
void add_note(std::vector<std::string>& notes, const std::string& note);

}  // namespace lapidary::cli
