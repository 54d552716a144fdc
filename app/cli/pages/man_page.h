// SPDX-License-Identifier: Apache-2.0
// Manual pages in the man macros of roff (groff_man(7)).
#pragma once

#include <string>

#include "cli/command_list.h"

namespace lapidary::cli {

/// lapidary-cli(1)
std::string man_page(const Program& program);
/// lapidary-cli-COMMAND(1)
std::string man_page(const Program& program, const DeclaredCommand& command);

}  // namespace lapidary::cli
