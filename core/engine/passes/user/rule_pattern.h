// SPDX-License-Identifier: Apache-2.0
// The lines of `match` as a pattern.
#pragma once

#include <memory>

#include "passes/user/rule_syntax.h"
#include "patterns/pattern.h"

namespace lapidary::user {

/// Rooted at the last line; attributes and conditions of the rule are required of it. Operators
/// whose operands may be exchanged match in both orders.
pattern::Pattern pattern_of(std::shared_ptr<const RewriteRule> rule);

}  // namespace lapidary::user
