// SPDX-License-Identifier: Apache-2.0
// The command line's program, which is started again for what is measured in fresh processes.
#pragma once

#include <string>

namespace lapidary::app {

/// The file of lapidary-cli: of this process where it is that, else what set_command_program()
/// named; empty: there is none.
std::string command_program();

/// For programs that call commands themselves and come with a lapidary-cli of the same version. To
/// be called before the first command.
void set_command_program(std::string file);

}  // namespace lapidary::app
