// SPDX-License-Identifier: Apache-2.0
// The rules of OptimizeOptions::rules as passes.
#pragma once

#include <deque>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "rewrite/pass_entry.h"

namespace lapidary {

/// `entries` refer to `texts`.
struct UserPasses {
    std::deque<std::string> texts;
    std::vector<PassEntry> entries;  // in the order of the files and their rules

    UserPasses() = default;
    UserPasses(const UserPasses&) = delete;
};

/// Adds to `passes` one entry of level user for each rule, named "user:NAME". Throws invalid_input
/// for mistakes in a file ("file:line:column") and for two rules of one name.
void add_user_passes(std::span<const RuleText> files, UserPasses& passes);

/// The rules of a text as rewrites, in order, for passes that are not of the user.
std::vector<Rule> rewrites_of(const RuleText& file);
/// The operators that the last lines of their matches name.
std::set<std::string> roots_of_rules(const RuleText& file);

/// All passes with those of `user` in their place: behind level disabled, before level basic.
std::vector<PassEntry> entries_with(const UserPasses& user);

}  // namespace lapidary
