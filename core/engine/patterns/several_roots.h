// SPDX-License-Identifier: Apache-2.0
// Patterns with more than one root.
#pragma once

#include <vector>

#include "patterns/pattern.h"

namespace lapidary::pattern {

/// The op pattern `root` and further op patterns, whose nodes do not feed it. Each has to read, by
/// any number of its operators, a value that `root` or one before it binds to a name: its node is
/// looked for among the readers of that value. It is another node than those matched before.
Pattern with_others(const Pattern& root, std::vector<Pattern> others);

}  // namespace lapidary::pattern
