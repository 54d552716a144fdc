// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/options/option_list.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// What help and man page say about a command.
struct CommandText {
    std::string summary;  // one line
    /// Lines below the options. Those that begin with a space stay lines of their own in every
    /// form; a newline in front is dropped.
    std::string notes = {};
    std::vector<std::string> examples = {};  // "lapidary-cli info net.onnx"
    // its line in the help of the whole program; empty: none
    std::string program_example = {};
};

/// A command of lapidary-cli: a class in <name>_command.cpp, made by a function there that
/// command_list.inc lists.
class Command {
public:
    virtual ~Command() = default;
    virtual CommandText text() const = 0;
    /// Declares the options, which fill in members of this object.
    virtual void declare(OptionList& options) = 0;
    /// After the options were filled in: checks what they mean together and works. Returns an exit
    /// code; throws UsageError and Error.
    virtual int run(Terminal& terminal) = 0;
    /// Whether the operators and providers of plugins are there when it runs.
    virtual bool opens_plugins() const { return true; }
    /// Whether plugins and libraries of custom operators that were named by hand are opened in a
    /// process of their own first. Not where the command is such a process, whose parent reports
    /// its end.
    virtual bool probes_libraries() const { return true; }
    /// Before a plugin or a library of custom operators is opened, which may crash the program.
    virtual void report_opening(const std::string& /*file*/, Terminal& /*terminal*/) const {}

    bool json = false, quiet = false;      // for the Terminal; --quiet is declared for all commands
    std::vector<std::string> plugins;      // --plugin, declared for all commands
    std::vector<std::string> plugins_off;  // --without-plugin, likewise
    std::vector<std::string> custom_operators;  // --custom-ops, likewise
};

}  // namespace lapidary::cli
