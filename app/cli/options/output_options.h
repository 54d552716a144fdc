// SPDX-License-Identifier: Apache-2.0
// Options for how and where a command prints its results.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --json
Option& add_json(OptionList& options, bool& json);
/// -q,--quiet
Option& add_quiet(OptionList& options, bool& quiet);
/// -o,--output with a file of one of the extensions (without a dot; none: any)
Option& add_output(OptionList& options, const std::string& value_name, std::filesystem::path& file,
                   const std::vector<std::string>& extensions, const std::string& help);

}  // namespace lapidary::cli
