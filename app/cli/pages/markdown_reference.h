// SPDX-License-Identifier: Apache-2.0
// The reference of the command line as one page of Markdown, for the help of the window.
#pragma once

#include <string>

#include "cli/command_list.h"

namespace lapidary::cli {

/// Program, all commands with their options, notes and examples, exit codes.
std::string markdown_reference(const Program& program);

}  // namespace lapidary::cli
