// SPDX-License-Identifier: Apache-2.0
// A trace as the argument of a command that also takes models.
#pragma once

#include <filesystem>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// True if the name is that of a trace, which ends in .json.
bool is_trace(const std::filesystem::path& path);

/// Throws UsageError if an option was given that has no meaning for a trace. Only options about
/// where and how the result is printed have one.
void refuse_run_options(const OptionList& options, const std::filesystem::path& trace);

}  // namespace lapidary::cli
