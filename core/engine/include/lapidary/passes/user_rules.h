// SPDX-License-Identifier: Apache-2.0
// Rewriting rules that users write in text files. They run as passes of level user, before those
// of level basic. resources/help/rules.md describes the language.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

namespace lapidary {

/// What names of passes of level user begin with: rule "cast_cast" is the pass "user:cast_cast".
inline constexpr std::string_view user_pass_prefix = "user:";

/// A rule as a pass.
struct UserPass {
    std::string name;     // "user:cast_cast"
    std::string summary;  // what its rule says, and where it stands
};

/// The rules in order. Throws invalid_input for a mistake: "file:line:column", what was expected,
/// and what was found.
std::vector<UserPass> user_passes(std::span<const RuleText> files);

/// A sentence, "file:line:column: ...", for each operator in the rules that no version of a domain
/// has which is known. Only a function of a model can have such a name: most are mistakes. Throws
/// as user_passes() does.
std::vector<std::string> unknown_rule_operators(std::span<const RuleText> files);

/// The text of a file. Throws io_failure, limit_exceeded above 1 MiB.
RuleText load_rules(const std::filesystem::path& file);

}  // namespace lapidary
