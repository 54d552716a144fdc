// SPDX-License-Identifier: Apache-2.0
// The model argument of a command, and options for reading its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/options/option_list.h"

namespace lapidary::cli {

/// Suggests model files and "sample:NAME".
Suggestions model_suggestions();

/// The argument MODEL.
Option& add_model(OptionList& options, std::string& model);
Option& add_model(OptionList& options, std::filesystem::path& model);

/// --channel-block; `block` is LoadOptions' own.
Option& add_channel_block(OptionList& options, std::int64_t& block);

}  // namespace lapidary::cli
