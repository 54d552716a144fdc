// SPDX-License-Identifier: Apache-2.0
// The options of report, compare and snippet, but those of inputs.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lapidary::cli {

void add_report_options(CLI::App& command, ReportCommandOptions& options);
void add_compare_options(CLI::App& command, CompareCommandOptions& options);
void add_snippet_options(CLI::App& command, SnippetCommandOptions& options);

}  // namespace lapidary::cli
