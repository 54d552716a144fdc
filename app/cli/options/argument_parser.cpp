// SPDX-License-Identifier: Apache-2.0
#include "cli/options/argument_parser.h"

#include <ostream>
#include <string_view>

#include <CLI/CLI.hpp>

#include <lapidary/error.h>
#include <lapidary/nearest_name.h>

#include "cli/usage_error.h"

namespace lapidary::cli {

struct ArgumentParser::Parts {
    struct Command {
        CLI::App* app;
        std::unique_ptr<OptionList> options;
    };
    CLI::App app;
    std::unique_ptr<OptionList> options;
    std::vector<Command> commands;

    std::vector<std::string> command_names() const {
        std::vector<std::string> names;
        for (const Command& command : commands) names.push_back(command.app->get_name());
        return names;
    }
};

ArgumentParser::ArgumentParser(const ProgramText& program)
    : parts_(new Parts{CLI::App(program.description, program.name), {}, {}}) {
    CLI::App& app = parts_->app;
    app.require_subcommand(1);
    app.footer(program.footer);
    parts_->options = std::make_unique<OptionList>(app);
    parts_->options->version("--version", program.version);
}

ArgumentParser::~ArgumentParser() = default;

OptionList& ArgumentParser::add_command(const std::string& name, const std::string& summary,
                                        const std::string& footer) {
    CLI::App* app = parts_->app.add_subcommand(name, summary);
    app->footer(footer);
    parts_->commands.push_back({app, std::make_unique<OptionList>(*app)});
    return *parts_->commands.back().options;
}

const OptionList& ArgumentParser::program_options() const { return *parts_->options; }

std::optional<std::string> ArgumentParser::parse(int argc, const char* const* argv, std::ostream& out) {
    if (const std::string problem = unknown_command(argc, argv); !problem.empty()) throw UsageError(problem);
    try {
        parts_->app.parse(argc, argv);
    } catch (const CLI::ExtrasError& error) {
        throw UsageError(unknown_arguments(error.what()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw UsageError(error.what());
        parts_->app.exit(error, out, out);  // --help, --version
        return std::nullopt;
    }
    return parts_->app.get_subcommands().front()->get_name();
}

/// Why there is no such command, when the first argument that is no option names none: with the one that was meant.
std::string ArgumentParser::unknown_command(int argc, const char* const* argv) const {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with('-')) continue;
        const std::vector<std::string> names = parts_->command_names();
        for (const std::string& name : names)
            if (name == argument) return {};
        const std::string meant = did_you_mean(argument, names);
        if (!meant.empty()) return "there is no command " + quote(argument) + meant;
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
        return "there is no command " + quote(argument) + "; there are " + list;
    }
    return {};
}

/// The error of arguments that no option takes, with the options that were meant.
std::string ArgumentParser::unknown_arguments(const std::string& otherwise) const {
    for (const Parts::Command& command : parts_->commands) {
        if (!command.app->parsed()) continue;
        for (const std::string& argument : command.app->remaining()) {
            if (!argument.starts_with("--")) continue;
            const std::string name = argument.substr(0, argument.find('='));
            std::vector<std::string> names;
            for (const Option& option : command.options->all())
                if (!option.info().is_positional() && !option.info().is_hidden) names.push_back(option.info().name());
            return command.app->get_name() + " has no option " + quote(name) + did_you_mean(name, names);
        }
    }
    return otherwise;
}

}  // namespace lapidary::cli
