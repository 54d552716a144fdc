// SPDX-License-Identifier: Apache-2.0
// Words of a command as one text, which is how Windows hands them to a program.
#pragma once

#include <string>
#include <vector>

namespace lapidary {

/// Programs take it apart into the same words (CommandLineToArgvW, the C library's start of main):
/// words with blanks, quotes, or nothing in them stand in quotes; backslashes count double before a
/// quote alone.
std::string windows_command_line(const std::vector<std::string>& words);

}  // namespace lapidary
