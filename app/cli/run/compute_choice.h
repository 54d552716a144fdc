// SPDX-License-Identifier: Apache-2.0
// --compute auto: what is chosen, and how it is shown.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>

#include <lapidary/proof/choose_compute.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// True where the entries have --compute auto.
bool wants_choice(const std::map<std::string, std::string>& entries);

/// Where the options have --compute auto, chooses by runs on these inputs and writes the choice
/// into the options. Nothing: they do not have it. Throws UsageError where they have providers.
std::optional<ComputeChoice> settle_compute(const ModelPtr& model, SessionOptions& options,
                                            const NamedValues& inputs, const Progress& progress);
/// {"chosen", "reason", "threads", "weight_bytes", "rates", "trials"}
Json compute_json(const ComputeChoice& choice);
/// "compute  fp16: 1.70 x as fast, ...", and below it what was not chosen.
void print_compute(std::ostream& out, const ComputeChoice& choice);

}  // namespace lapidary::cli
