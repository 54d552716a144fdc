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

/// --level, for commands that can optimize a model before they use it, with --session-passes,
/// --channel-block, --disable-pass, --rules and --recipe.
void add_level_options(OptionList& options, LevelOptions& levels);

/// One level: `name` is "--level" or an option like it.
Option& add_level(OptionList& options, const std::string& name, std::function<void(Level)> take,
                  const std::string& help);
/// --level with a list of values separated by commas, for commands that measure each of them.
Option& add_levels(OptionList& options, std::vector<Level>& levels);
/// --level, given once or twice, for commands that compare two variants.
Option& add_two_levels(OptionList& options, std::vector<Level>& levels, const std::string& help);

/// --rules: reads the files. Throws invalid_input for a mistake in one.
Option& add_rules(OptionList& options, std::vector<RuleText>& rules);
/// --session-passes; empty: the level decides.
Option& add_session_passes(OptionList& options, std::optional<bool>& choice);
/// --disable-pass
Option& add_disabled_passes(OptionList& options, std::vector<std::string>& passes,
                            const std::string& help);
/// --disable-pass, --enable-pass, --only-pass, --rules
void add_pass_choice(OptionList& options, OptimizeOptions& optimizing);

}  // namespace lapidary::cli
