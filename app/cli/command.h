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
    /// Text below the options. Lines that begin with a space are never joined with others. A
    /// newline at the beginning is dropped.
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
    /// Declares the options, whose values are stored in members of this object.
    virtual void declare(OptionList& options) = 0;
    /// Called after the options were parsed: checks their combination and runs the command. Returns
    /// an exit code; throws UsageError and Error.
    virtual int run(Terminal& terminal) = 0;
    /// Whether plugins are opened before it runs.
    virtual bool opens_plugins() const { return true; }
    /// Whether plugins and libraries of custom operators that the user named are first opened in a
    /// separate process. False for a command that itself runs in such a process.
    virtual bool probes_libraries() const { return true; }
    /// Called before a plugin or a library of custom operators is opened, because that may crash
    /// the program.
    virtual void report_opening(const std::string& /*file*/, Terminal& /*terminal*/) const {}

    bool json = false, quiet = false;      // for the Terminal; --quiet is declared for all commands
    std::vector<std::string> plugins;      // --plugin, declared for all commands
    std::vector<std::string> plugins_off;  // --without-plugin, likewise
    std::vector<std::string> custom_operators;  // --custom-ops, likewise
};

}  // namespace lapidary::cli
