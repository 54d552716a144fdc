// SPDX-License-Identifier: Apache-2.0
// What --unjudged of the quantize command does: it makes and writes a model and runs nothing, so
// that memory needs room for one weight at a time.
#pragma once

#include <iosfwd>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>
#include <lapidary/quantize/calibrate.h>

#include "cli/quantize/quantize_text.h"

namespace lapidary::cli {

/// Throws UsageError if there is no file to write, if an option needs figures of runs, or if one
/// needs samples and there is no --data.
void check_unjudged(const QuantizeCommandOptions& options, bool is_json);

/// Makes the model for the requested release. `samples` may be null. Throws what quantize_model()
/// and fit_release() throw.
QuantizeOutcome quantize_unjudged(const QuantizeCommandOptions& options, const Model& model,
                                  const SampleSource* samples, const Progress& progress);

void print_unjudged(std::ostream& out, const QuantizeCommandOptions& options,
                    const QuantizeOutcome& outcome);

}  // namespace lapidary::cli
