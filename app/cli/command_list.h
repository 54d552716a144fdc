// SPDX-License-Identifier: Apache-2.0
// All commands of lapidary-cli, from command_list.inc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/argument_parser.h"

namespace lapidary::cli {

/// In the order of the help.
std::vector<std::string> command_names();

struct DeclaredCommand {
    std::string name;
    std::unique_ptr<Command> command;
    CommandText text = {};
    const OptionList* options = nullptr;  // owned by the parser
};

/// lapidary-cli with a parser that knows all its commands.
struct Program {
    std::vector<DeclaredCommand> commands;  // in the order of the help
    ProgramText text;
    std::string exit_codes;  // their meanings: the last lines of the help
    ArgumentParser parser;

    Program();
};

}  // namespace lapidary::cli
