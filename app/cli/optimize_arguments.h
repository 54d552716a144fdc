// SPDX-License-Identifier: Apache-2.0
// The options of optimize and bisect, and those of the level that other commands share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lapidary::cli {

/// Splits NAME=VALUE at the last "=" for numbers and at the first that leaves a name otherwise: tensor names may hold
/// colons and slashes, seldom an equals sign.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text, bool at_last);
/// NAME=N of --dim, each.
std::map<std::string, std::int64_t> parse_sizes(const std::string& option, const std::vector<std::string>& texts);

/// --rtol, --atol
void add_tolerance(CLI::App& command, double& rtol, double& atol);
/// --channel-block
void add_channel_block(CLI::App& command, std::int64_t& block);
void add_level_options(CLI::App& command, LevelOptions& options);
void add_optimize_options(CLI::App& command, OptimizeCommandOptions& options);
void add_bisect_options(CLI::App& command, BisectCommandOptions& options);

}  // namespace lapidary::cli
