// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <lapidary/internal/text_file.h>

#include "cli/command.h"
#include "cli/command_list.h"
#include "cli/options/output_options.h"
#include "cli/pages/shell_completion.h"

namespace lapidary::cli {
namespace {

constexpr const char* completion_notes = R"(
Prints a script by which the shell completes commands, options and their values: levels, passes, targets, samples,
session options, files of the right kind. An installed lapidary-cli has it in place; else try it in this shell with
  source <(lapidary-cli completion bash)     # bash
  source <(lapidary-cli completion zsh)      # zsh, after compinit
  lapidary-cli completion fish | source      # fish
or write it to where the shell looks for it, as the examples do.)";

class CompletionCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Print a script that makes a shell complete commands, options and values",
            .notes = completion_notes,
            .examples = {
                "lapidary-cli completion bash -o "
                "~/.local/share/bash-completion/completions/lapidary-cli",
                "lapidary-cli completion zsh -o ~/.zfunc/_lapidary-cli   # and fpath+=(~/.zfunc) "
                "before compinit",
                "lapidary-cli completion fish -o ~/.config/fish/completions/lapidary-cli.fish"}};
    }

    void declare(OptionList& options) override {
        options.value("shell", "bash|zsh|fish", shell_, "The shell that the script is for")
            .required()
            .one_of({"bash", "zsh", "fish"});
        add_output(options, "FILE", output_, {}, "File to write; standard output unless given");
    }

    bool opens_plugins() const override { return false; }

    int run(Terminal& terminal) override {
        const Program program;
        const std::string script = shell_ == "bash"  ? bash_completion(program)
                                   : shell_ == "zsh" ? zsh_completion(program)
                                                     : fish_completion(program);
        if (output_.empty()) terminal.out << script;
        else save_text(output_, script);
        return exit_fine;
    }

private:
    std::string shell_;
    std::filesystem::path output_;
};

}  // namespace

std::unique_ptr<Command> completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace lapidary::cli
