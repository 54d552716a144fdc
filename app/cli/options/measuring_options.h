// SPDX-License-Identifier: Apache-2.0
// How long to measure, and how far outputs may lie apart.
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --seconds S and --precision X
Option& add_seconds(OptionList& options, double& seconds, const std::string& help);
Option& add_precision(OptionList& options, double& precision, const std::string& help);

/// --gate-seconds: of --max-regress
void add_gate_seconds(OptionList& options, double& seconds);
/// --rtol, --atol
void add_tolerance(OptionList& options, double& rtol, double& atol);

}  // namespace lapidary::cli
