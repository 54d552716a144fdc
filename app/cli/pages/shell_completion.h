// SPDX-License-Identifier: Apache-2.0
// Scripts by which a shell completes commands, options and their values.
#pragma once

#include <string>

#include "cli/command_list.h"

namespace lapidary::cli {

/// For bash 4.3 and later. It needs nothing of the bash-completion package.
std::string bash_completion(const Program& program);
/// For zsh: a file _lapidary-cli for a folder of $fpath, which may also be sourced after compinit.
std::string zsh_completion(const Program& program);
/// For fish 3 and later.
std::string fish_completion(const Program& program);

}  // namespace lapidary::cli
