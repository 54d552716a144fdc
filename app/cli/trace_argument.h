// SPDX-License-Identifier: Apache-2.0
// A recording where a command takes a model.
#pragma once

#include <filesystem>

#include <CLI/CLI.hpp>

namespace lapidary::cli {

/// A trace rather than a model, by its name: traces are JSON.
bool is_trace(const std::filesystem::path& path);

/// Throws UsageError naming an option of `command` that was given and makes no sense for a recording: all but where the
/// result goes and how it is printed.
void refuse_run_options(const CLI::App& command, const std::filesystem::path& trace);

}  // namespace lapidary::cli
