// SPDX-License-Identifier: Apache-2.0
// Reads files of rewriting rules. resources/help/rules.md describes the language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "passes/user/rule_syntax.h"

namespace lapidary::user {

/// The rules of the text in order, checked: names are defined before they are used, every line of
/// `match` feeds the last one, what is replaced was matched. Throws invalid_input with
/// "file:line:column", what was expected and what was found.
std::vector<RewriteRule> parse_rules(const std::string& file, std::string_view text);

}  // namespace lapidary::user
