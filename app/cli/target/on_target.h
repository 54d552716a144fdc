// SPDX-License-Identifier: Apache-2.0
// A command that runs on another machine: its files are sent, its output comes back.
#pragma once

#include <string>

#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// Runs the command on that machine with the options that were given here, and returns its exit
/// code. Files that options name are sent first; those that it writes are written here. What it
/// prints says which machine it ran on. Throws Error as RemoteEngine::run() does.
int run_on_target(const std::string& machine, const std::string& command, const OptionList& options,
                  Terminal& terminal);

}  // namespace lapidary::cli
