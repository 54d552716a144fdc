// SPDX-License-Identifier: Apache-2.0
// Levels of optimization and the choice of passes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/models/model_at_level.h"
#include "cli/options/option_list.h"

namespace lapidary::cli {

/// --level of the commands that can optimize a model before they use it, with --session-passes,
/// --channel-block,
/// --disable-pass and --recipe.
void add_level_options(OptionList& options, LevelOptions& levels);

/// One level: `name` is "--level" or an option like it.
Option& add_level(OptionList& options, const std::string& name, std::function<void(Level)> take,
                  const std::string& help);
/// --level with several values, in a list separated by commas, of commands that measure each by
/// itself.
Option& add_levels(OptionList& options, std::vector<Level>& levels);
/// --level given once or twice, of commands that show two things side by side.
Option& add_two_levels(OptionList& options, std::vector<Level>& levels, const std::string& help);

/// --session-passes; nothing: as the level has it.
Option& add_session_passes(OptionList& options, std::optional<bool>& choice);
/// --disable-pass
Option& add_disabled_passes(OptionList& options, std::vector<std::string>& passes,
                            const std::string& help);
/// --disable-pass, --enable-pass, --only-pass
void add_pass_choice(OptionList& options, OptimizeOptions& optimizing);

}  // namespace lapidary::cli
