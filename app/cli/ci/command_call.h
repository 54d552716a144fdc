// SPDX-License-Identifier: Apache-2.0
// A command of lapidary-cli that another command runs: its figures are those that a person gets.
#pragma once

#include <string>
#include <vector>

#include <lapidary/internal/located_json.h>

#include "cli/terminal.h"

namespace lapidary::cli {

struct CalledCommand {
    int code = 0;      // exit_fine, exit_check_failed or exit_unresolved
    std::string text;  // JSON that it printed
    LocatedJson json;  // the same
};

/// Runs the command with --json in this process. Throws cancelled, and invalid_input with the
/// command's own sentence where it ends with another code.
CalledCommand call_command(std::vector<std::string> words, Terminal& terminal);

/// A member of what a command printed. Throws internal where it is missing or of another kind.
const LocatedJson& member_of(const LocatedJson& object, std::string_view name,
                             LocatedJson::Kind kind);
/// A number that is a member.
double number_of(const LocatedJson& object, std::string_view name);

}  // namespace lapidary::cli
