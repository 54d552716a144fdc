// SPDX-License-Identifier: Apache-2.0
// Options for the time of measurements and the tolerance of outputs.
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --seconds S and --precision X
Option& add_seconds(OptionList& options, double& seconds, const std::string& help);
Option& add_precision(OptionList& options, double& precision, const std::string& help);

/// --gate-seconds, the time limit of --max-regress
void add_gate_seconds(OptionList& options, double& seconds);
/// --rtol, --atol
void add_tolerance(OptionList& options, double& rtol, double& atol);

}  // namespace lapidary::cli
