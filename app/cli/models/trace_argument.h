// SPDX-License-Identifier: Apache-2.0
// A recording where a command takes a model.
#pragma once

#include <filesystem>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// A trace rather than a model, by its name: traces are JSON.
bool is_trace(const std::filesystem::path& path);

/// Throws UsageError naming one of the options that was given and makes no sense for a recording:
/// all but where the result goes and how it is printed.
void refuse_run_options(const OptionList& options, const std::filesystem::path& trace);

}  // namespace lapidary::cli
