// SPDX-License-Identifier: Apache-2.0
// Checks of a rule that need no model: names, and what may stand where.
#pragma once

#include <string>
#include <vector>

#include "passes/user/rule_syntax.h"

namespace lapidary::user {

/// Throws invalid_input with "file:line:column" for the first mistake.
void check_rule(const RewriteRule& rule);

/// Values that lines of `match` and of `replace` both write: what the rule replaces.
std::vector<std::string> results_of(const RewriteRule& rule);

/// Lines of `match` that do not feed the last one, in an order in which each reads a value of those
/// before it, or of the last line and what feeds that.
std::vector<const Statement*> further_results_of(const RewriteRule& rule);

/// The line of `match` that writes the value; null: none, it is read only.
const Statement* writer_of(const RewriteRule& rule, const std::string& value);

}  // namespace lapidary::user
