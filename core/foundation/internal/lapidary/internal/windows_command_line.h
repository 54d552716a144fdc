// SPDX-License-Identifier: Apache-2.0
// Joins the words of a command to one text, which is how Windows hands them to a program.
#pragma once

#include <string>
#include <vector>

namespace lapidary {

/// Programs split it into the same words again (CommandLineToArgvW, the C library before main).
/// Words that are empty or hold blanks or quotes are quoted; backslashes are doubled only before a
/// quote.
std::string windows_command_line(const std::vector<std::string>& words);

}  // namespace lapidary
