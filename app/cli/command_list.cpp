// SPDX-License-Identifier: Apache-2.0
#include "cli/command_list.h"

#include "cli/options/output_options.h"
#include "cli/options/provider_options.h"
#include "worker/process/build_commit.h"

namespace lapidary::cli {

#define LAPIDARY_COMMAND(name) std::unique_ptr<Command> name##_command();
#include "cli/command_list.inc"
#undef LAPIDARY_COMMAND

namespace {

constexpr const char* description = "Runs, checks, profiles, optimizes and inspects ONNX models.";
constexpr const char* exit_codes =
    "Exit codes: 0 fine, 1 a check found a difference, 2 wrong usage, 3 bad model or input file, "
    "or more\n"
    "than memory holds, 4 not supported, 5 cancelled (Ctrl-C, whatever was written before; twice "
    "ends at\n"
    "once), 6 a bug, 7 a limit (--max-regress) that what was measured can neither keep nor break.\n"
    "Errors are one sentence on stderr; with --json they are one object there:\n"
    "  {\"error\": {\"code\": \"invalid_input\", \"message\": \"...\", \"where\": [\"file\", "
    "\"node\"]}}";

std::vector<DeclaredCommand> make_commands() {
    std::vector<DeclaredCommand> commands;
#define LAPIDARY_COMMAND(name) commands.push_back({#name, name##_command()});
#include "cli/command_list.inc"
#undef LAPIDARY_COMMAND
    for (DeclaredCommand& command : commands) {
        command.text = command.command->text();
        if (command.text.notes.starts_with('\n')) command.text.notes.erase(0, 1);
    }
    return commands;
}

/// The end of a command's help.
std::string footer_of(const CommandText& text) {
    std::string footer = text.notes;
    if (text.examples.empty()) return footer;
    if (!footer.empty()) footer += '\n';
    if (text.examples.size() == 1) return footer + "Example: " + text.examples[0];
    footer += "Examples:";
    for (const std::string& example : text.examples) footer += "\n  " + example;
    return footer;
}

ProgramText program_text(const std::vector<DeclaredCommand>& commands) {
    std::string footer = "Examples:\n";
    for (const DeclaredCommand& command : commands)
        if (!command.text.program_example.empty())
            footer += "  " + command.text.program_example + '\n';
    return {"lapidary-cli",
            std::string("lapidary-cli " LAPIDARY_VERSION " (commit ") + app::build_commit() + ')',
            description, footer + '\n' + exit_codes};
}

}  // namespace

std::vector<std::string> command_names() {
    std::vector<std::string> names;
#define LAPIDARY_COMMAND(name) names.emplace_back(#name);
#include "cli/command_list.inc"
#undef LAPIDARY_COMMAND
    return names;
}

Program::Program()
    : commands(make_commands()), text(program_text(commands)), exit_codes(cli::exit_codes),
      parser(text) {
    for (DeclaredCommand& command : commands) {
        OptionList& options =
            parser.add_command(command.name, command.text.summary, footer_of(command.text));
        command.command->declare(options);
        add_quiet(options, command.command->quiet);
        if (command.command->opens_plugins() || command.name == std::string("plugins") ||
            command.name == std::string("devices") || command.name == std::string("engines"))
            add_plugins(options, command.command->plugins);
        if (command.command->opens_plugins()) {
            add_plugins_off(options, command.command->plugins_off);
            add_custom_operators(options, command.command->custom_operators);
        }
        command.options = &options;
    }
}

}  // namespace lapidary::cli
