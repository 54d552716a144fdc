// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lapidary::cli {

/// All but the options of inputs; `json` is set where the result is wanted on standard output.
void add_bench_options(CLI::App& command, BenchCommandOptions& options, bool& json);

}  // namespace lapidary::cli
