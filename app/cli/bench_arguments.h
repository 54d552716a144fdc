// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lapidary::cli {

/// --level with several values.
void add_levels(CLI::App& command, std::vector<Level>& levels);

/// All but the options of inputs; `json` is set where the result is wanted on standard output.
void add_bench_options(CLI::App& command, BenchCommandOptions& options, bool& json);

}  // namespace lapidary::cli
