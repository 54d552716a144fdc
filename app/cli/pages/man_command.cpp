// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <system_error>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>
#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/command_list.h"
#include "cli/pages/man_page.h"
#include "cli/pages/markdown_reference.h"

namespace lapidary::cli {
namespace {

constexpr const char* man_notes = R"(
Prints the manual page of lapidary-cli, or of one of its commands, in the format that man reads. An installed
lapidary-cli has them in place: man lapidary-cli, man lapidary-cli-run. Else look at one with
  man -l <(lapidary-cli man run))";

class ManCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Print the manual page of the program or of a command",
                .notes = man_notes,
                .examples = {"lapidary-cli man optimize > lapidary-cli-optimize.1",
                             "lapidary-cli man -o ~/.local/share/man/man1"}};
    }

    void declare(OptionList& options) override {
        Option& name =
            options
                .value("command", "COMMAND", name_, "Command to describe; the program unless given")
                .checked_by(command_problem)
                .suggest({.words = command_names()});
        Option& folder =
            options
                .value("-o,--output", "FOLDER", folder_,
                       "Write the pages of the program and of all commands into this folder")
                .suggest_folders()
                .excludes(name);
        options
            .flag("--markdown", markdown_,
                  "Print one page of Markdown about the program and all commands")
            .excludes(name)
            .excludes(folder);
    }

    bool opens_plugins() const override { return false; }

    int run(Terminal& terminal) override {
        const Program program;
        if (markdown_) {
            terminal.out << markdown_reference(program);
            return exit_fine;
        }
        if (folder_.empty()) {
            const auto command = std::ranges::find(program.commands, name_, &DeclaredCommand::name);
            terminal.out << (name_.empty() ? man_page(program) : man_page(program, *command));
            return exit_fine;
        }
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        if (error)
            fail(ErrorCode::io_failure,
                 quote(folder_.string()) + " could not be made: " + error.message());
        save_text(folder_ / (program.text.name + ".1"), man_page(program));
        for (const DeclaredCommand& command : program.commands)
            save_text(folder_ / (program.text.name + '-' + command.name + ".1"),
                      man_page(program, command));
        return exit_fine;
    }

private:
    static std::string command_problem(const std::string& name) {
        const std::vector<std::string> names = command_names();
        if (std::ranges::find(names, name) != names.end()) return {};
        return "there is no command " + quote(name) + did_you_mean(name, names);
    }

    std::string name_;
    std::filesystem::path folder_;
    bool markdown_ = false;
};

}  // namespace

std::unique_ptr<Command> man_command() { return std::make_unique<ManCommand>(); }

}  // namespace lapidary::cli
