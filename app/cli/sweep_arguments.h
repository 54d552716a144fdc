// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lapidary::cli {

void add_sweep_options(CLI::App& command, SweepCommandOptions& options, std::vector<std::string>& dimensions);

}  // namespace lapidary::cli
