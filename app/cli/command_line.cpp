// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/base/failure.h>
#include <lapidary/internal/output_file.h>

#include "cli/command_list.h"
#include "cli/output/json_output.h"
#include "cli/engines/opened_plugins.h"
#include "cli/output/printable_stream.h"
#include "cli/output/progress_line.h"
#include "cli/exit_code.h"
#include "cli/options/target_option.h"
#include "cli/output/value_text.h"
#include "cli/target/on_target.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_error_characters = 8192;

int exit_code_of(ErrorCode code) {
    switch (code) {
    case ErrorCode::invalid_model:
    case ErrorCode::invalid_input:
    case ErrorCode::limit_exceeded:
    case ErrorCode::io_failure:
    case ErrorCode::process_ended: return exit_bad_input;
    case ErrorCode::not_supported: return exit_not_supported;
    case ErrorCode::cancelled: return exit_cancelled;
    case ErrorCode::check_failed: return exit_check_failed;
    case ErrorCode::internal: break;
    }
    return exit_internal;
}

/// The one model that the command line names; empty: there is none, or several.
std::string model_argument_of(const OptionList& options) {
    for (const Option& option : options.all())
        if (option.info().name() == "model") {
            const std::vector<std::string> values = option.values();
            return values.size() == 1 ? values.front() : std::string();
        }
    return {};
}

/// All that the command line gives to options.
std::vector<std::string> values_of(const OptionList& options) {
    std::vector<std::string> values;
    for (const Option& option : options.all())
        std::ranges::copy(option.values(), std::back_inserter(values));
    return values;
}

/// True where one of the values is the file, or a folder around it; alone, or as NAME=FILE.
bool name_file(const std::vector<std::string>& values, const std::string& file) {
    const auto is_it = [&](std::string_view value) {
        return !value.empty() && file.starts_with(value) &&
               (file.size() == value.size() || file[value.size()] == '/' ||
                file[value.size()] == '\\');
    };
    return std::ranges::any_of(values, [&](const std::string& value) {
        const std::size_t at = value.find('=');
        return is_it(value) || (at != std::string::npos && is_it(value.substr(at + 1)));
    });
}

/// Adds the model's file to an error that names a node or a tensor and no other file that is
/// `given`.
Error with_file(Error error, const std::string& model, const std::vector<std::string>& given) {
    if (model.empty() || error.where().empty() || name_file(given, error.where().front()) ||
        std::string_view(error.what()).find(model) != std::string_view::npos)
        return error;
    return error.at(model);
}

/// The command that the arguments name; empty: none that there is.
std::string command_in(const Program& program, int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.starts_with('-')) continue;
        const auto at = std::ranges::find(program.commands, argument, &DeclaredCommand::name);
        return at == program.commands.end() ? std::string() : argument;
    }
    return {};
}

/// Reports errors.
class ErrorReport {
public:
    /// `colour`: the stream is a terminal that shows colours.
    ErrorReport(std::ostream& err, std::ostream& raw_err, bool json, bool colour)
        : err_(err), raw_err_(raw_err), json_(json), colour_(colour) {}

    int operator()(int exit_code, const Json& object, const std::string& sentence) const {
        if (json_) err_ << object.dump() << '\n';
        else {
            err_.flush();
            raw_err_ << (colour_ ? "\x1b[31mlapidary-cli:\x1b[0m " : "lapidary-cli: ");
            err_ << plain(sentence, most_error_characters) << '\n';
        }
        return exit_code;
    }
    /// `command`: whose help says more; empty: that of the program does.
    int usage(const std::string& message, const std::string& command) const {
        return (*this)(
            exit_usage,
            {{"error", {{"code", "usage"}, {"message", message}, {"where", Json::array()}}}},
            message + (command.empty() ? " (lapidary-cli --help shows the commands)"
                                       : " (lapidary-cli " + command + " --help says more)"));
    }

private:
    std::ostream &err_, &raw_err_;
    bool json_, colour_;
};

}  // namespace

int run_command_line(int argc, const char* const* argv, std::ostream& raw_out,
                     std::ostream& raw_err, const CancelToken& cancel,
                     const TerminalFeatures& features) {
    bool json = false, quiet = false;  // known before parsing, for errors of parsing
    for (int i = 1; i < argc; ++i) {
        json = json || std::string_view(argv[i]) == "--json";
        quiet =
            quiet || std::string_view(argv[i]) == "--quiet" || std::string_view(argv[i]) == "-q";
    }
    std::optional<ProgressLine> progress;
    try {
        if (features.progress && !json && !quiet) progress.emplace(raw_err);
    } catch (const Error&) {  // the system refuses its thread: the command runs without it
    }
    const auto erase = [&progress] {
        if (progress) progress->erase();
    };
    PrintableBuffer out_buffer(raw_out, erase), err_buffer(raw_err, erase);
    std::ostream out(&out_buffer), err(&err_buffer);
    Terminal terminal{out, err, cancel};
    terminal.progress_line = progress ? &*progress : nullptr;
    terminal.on_progress = features.on_progress;
    const InputProtection protection;
    std::string named, model;
    std::vector<std::string> given;
    const auto report = [&](auto&& report) {
        erase();
        return report(ErrorReport(err, raw_err, json, features.colour));
    };
    try {
        Program program;
        named = command_in(program, argc, argv);
        const std::optional<std::string> name = program.parser.parse(argc, argv, out);
        if (!name) return exit_fine;
        const DeclaredCommand& declared =
            *std::ranges::find(program.commands, *name, &DeclaredCommand::name);
        model = model_argument_of(*declared.options);
        given = values_of(*declared.options);
        if (features.check_options) features.check_options(*declared.options);
        Command& command = *declared.command;
        terminal.json = command.json;
        terminal.quiet = command.quiet;
        if (const std::string machine = target_of(*declared.options); !machine.empty()) {
            const int code = run_on_target(machine, *name, *declared.options, terminal);
            return cancel.is_cancelled() ? exit_cancelled : code;
        }
        if (command.opens_plugins()) {
            const OpeningOptions opening{
                [&](const std::string& file) { command.report_opening(file, terminal); },
                command.probes_libraries()};
            open_found_plugins(command.plugins, command.plugins_off, opening, terminal);
            open_custom_operator_libraries(command.custom_operators, opening, terminal);
        }
        const int code = command.run(terminal);
        // Results that were complete before Ctrl-C are written. The exit code says that the command
        // did not finish.
        return cancel.is_cancelled() ? exit_cancelled : code;
    } catch (const UsageError& e) {
        return report([&](const ErrorReport& r) { return r.usage(e.what(), named); });
    } catch (...) {
        std::string doing = "the command";
        for (int i = 1; i < std::min(argc, 3); ++i) doing += " " + quote(argv[i], shown_characters);
        if (!terminal.stage.empty()) doing += ", at the stage " + quote(terminal.stage) + ",";
        const Error error = with_file(error_in_flight(doing), model, given);
        return report([&](const ErrorReport& r) {
            return r(exit_code_of(error.code()), json_error(error), error.what());
        });
    }
}

}  // namespace lapidary::cli
