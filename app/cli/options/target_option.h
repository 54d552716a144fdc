// SPDX-License-Identifier: Apache-2.0
// The option that has a command run on another machine.
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --on HOST. The command itself does not look at it: run_command_line() runs commands that have it
/// on that machine, see run_on_target().
Option& add_target(OptionList& options);

/// The machine of --on; empty: this one.
std::string target_of(const OptionList& options);

}  // namespace lapidary::cli
