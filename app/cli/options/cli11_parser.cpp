// SPDX-License-Identifier: Apache-2.0
// The only file that includes CLI11, whose header takes seconds to compile.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string_view>
#include <type_traits>

#include <CLI/CLI.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "cli/options/argument_parser.h"
#include "cli/options/option_list.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

/// More about an unknown option, where the words of a command stand without the "--" that has to be
/// before them; else empty. `rest`: what the parser could not read.
std::string forgotten_dashes(const OptionList& options, const std::vector<std::string>& rest) {
    if (std::ranges::find(rest, "--") != rest.end()) return {};
    for (const Option& option : options.all())
        if (option.info().is_positional() && option.info().is_repeatable &&
            option.info().value_name == "COMMAND" && !option.values().empty())
            return "; the command and its options stand behind --, as in -- " +
                   option.values().front() + " ...";
    return {};
}

/// "-o,--output" -> "-o", "--output".
std::vector<std::string> split_names(const std::string& names) {
    const std::size_t comma = names.find(',');
    if (comma == std::string::npos) return {names};
    return {names.substr(0, comma), names.substr(comma + 1)};
}

/// Hides the validator's text in the help, because the value's name describes it.
CLI::Validator quietly(CLI::Validator validator) { return validator.description(""); }

}  // namespace

Option& Option::required() {
    parsed_.required();
    info_.is_required = true;
    return *this;
}

Option& Option::repeatable() {
    parsed_.allow_extra_args(false);
    info_.is_repeatable = true;
    return *this;
}

Option& Option::separated_by_commas() {
    parsed_.delimiter(',')->allow_extra_args(false);
    info_.takes_list = true;
    return *this;
}

Option& Option::one_or_more() {
    info_.is_repeatable = true;
    return *this;
}

Option& Option::at_most(int most) {
    info_.is_repeatable = true;
    if (info_.is_positional()) {
        parsed_.expected(1, most);
        return *this;
    }
    // A named option has one value each time. With expected() CLI11 would read on behind the
    // value, and drop a "--" there.
    return checked_by([this, most](const std::string&) {
        const std::size_t found = parsed_.results().size();
        return found <= static_cast<std::size_t>(most)
                   ? std::string()
                   : "at most " + std::to_string(most) + " are taken, found " +
                         std::to_string(found);
    });
}

Option& Option::with_optional_value() {
    parsed_.expected(0, 1);
    info_.value_is_optional = true;
    return *this;
}

Option& Option::may_be_empty() {
    info_.may_be_empty = true;
    return *this;
}

Option& Option::between(int lowest, int highest) {
    parsed_.check(CLI::Range(lowest, highest));
    info_.range = "from " + std::to_string(lowest) + " to " + std::to_string(highest);
    return *this;
}

Option& Option::between(double lowest, double highest) {
    parsed_.check(CLI::Range(lowest, highest));
    parsed_.check([](const std::string& text) {  // which is neither too small nor too large
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && std::isnan(number) ? "expected a number, found " + text : std::string();
    });
    info_.range =
        "from " + CLI::detail::to_string(lowest) + " to " + CLI::detail::to_string(highest);
    return *this;
}

Option& Option::positive() {
    parsed_.check([](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && number > 0 ? std::string() : "expected a number above 0, found " + text;
    });
    info_.range = "above 0";
    return *this;
}

Option& Option::not_negative() {
    parsed_.check([](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number);
        return is_number && number >= 0 ? std::string()
                                        : "expected a number from 0 on, found " + text;
    });
    info_.range = "from 0 on";
    return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
    parsed_.check(quietly(CLI::IsMember(words)));
    info_.suggestions.words = std::move(words);
    return *this;
}

Option& Option::byte_size() {
    // Requires digits and a unit, because CLI11 reads "-1" as the largest number.
    parsed_.transform([as_bytes = CLI::AsSizeValue(false)](std::string text) {
        std::string bytes = text;
        std::uint64_t number = 0;
        const bool is_size =
            std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
        if (!is_size || !as_bytes(bytes).empty())
            throw CLI::ValidationError("expected a number of bytes such as 4GB, found " +
                                       quote(text));
        return bytes;
    });
    return *this;
}

Option& Option::existing_file() {
    parsed_.check(quietly(CLI::ExistingFile));
    return suggest_files();
}

Option& Option::checked_by(Check check) {
    parsed_.check(CLI::Validator(
        [check = std::move(check)](std::string& value) { return check(value); }, ""));
    return *this;
}

Option& Option::changed_by(std::function<std::string(std::string)> change) {
    parsed_.transform(std::move(change));
    return *this;
}

Option& Option::suggest(Suggestions suggestions) {
    info_.suggestions = std::move(suggestions);
    return *this;
}

Option& Option::suggest_files(std::vector<std::string> extensions) {
    return suggest({.files = true, .extensions = std::move(extensions)});
}

Option& Option::suggest_folders() { return suggest({.folders = true}); }

Option& Option::needs(Option& other) {
    parsed_.needs(&other.parsed_);
    info_.needs.push_back(other.info_.name());
    return *this;
}

Option& Option::excludes(Option& other) {
    parsed_.excludes(&other.parsed_);  // so that both exclude each other
    info_.excludes.push_back(other.info_.name());
    other.info_.excludes.push_back(info_.name());
    return *this;
}

Option& Option::begins_with(std::string initial) {
    info_.initial = std::move(initial);
    return *this;
}

Option& Option::hidden() {
    parsed_.group("");
    info_.is_hidden = true;
    return *this;
}

bool Option::is_given() const { return parsed_.count() != 0; }
std::vector<std::string> Option::values() const { return parsed_.results(); }

OptionList::OptionList(CLI::App& command) : command_(command) {
    CLI::Option* help = command.get_help_ptr();
    options_.emplace_back(*help,
                          OptionInfo{.names = {"-h", "--help"}, .help = help->get_description()});
}

Option& OptionList::add(CLI::Option* parsed, const std::string& names,
                        const std::string& value_name, const std::string& help) {
    Option& option = options_.emplace_back(
        *parsed, OptionInfo{.names = split_names(names), .value_name = value_name, .help = help});
    if (value_name.empty()) return option;
    parsed->type_name(value_name);
    // Refuses an empty value. It comes from unset variables of scripts and would have no effect
    // without a message.
    return option.checked_by([&option](const std::string& value) {
        const OptionInfo& about = option.info();
        const bool is_good = !value.empty() || about.value_is_optional || about.may_be_empty;
        return is_good ? std::string()
                       : "expected " + option.info().value_name + ", found an empty text";
    });
}

Option& OptionList::flag(const std::string& names, bool& target, const std::string& help) {
    return add(command_.add_flag(names, target, help), names, "", help);
}

Option& OptionList::flag_off(const std::string& names, bool& target, const std::string& help) {
    return add(command_.add_flag_callback(
                   names, [&target] { target = false; }, help),
               names, "", help);
}

Option& OptionList::version(const std::string& names, const std::string& text) {
    CLI::Option* parsed = command_.set_version_flag(names, text);
    return add(parsed, names, "", parsed->get_description());
}

template <typename T>
Option& OptionList::value(const std::string& names, const std::string& value_name, T& target,
                          const std::string& help) {
    CLI::Option* option = command_.add_option(names, target, help);
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>)
        // NaN passes every range check, because all its comparisons are false
        option->check([](const std::string& text) {
            double number = 0;
            const bool is_nan = CLI::detail::lexical_cast(text, number) && std::isnan(number);
            return is_nan ? "expected a number, found " + text : std::string();
        });
    if constexpr (std::is_same_v<T, std::uint64_t> ||
                  std::is_same_v<T, std::optional<std::uint64_t>>)
        // CLI11 reads negative numbers as the largest ones
        option->check([](const std::string& text) {
            return text.starts_with('-') ? "expected a number from 0 on, found " + text
                                         : std::string();
        });
    option->capture_default_str();
    std::string initial = option->get_default_str();
    option->default_str("");  // the help text states the default in words
    return add(option, names, value_name, help).begins_with(std::move(initial));
}

using Names = const std::string&;
template Option& OptionList::value(Names, Names, std::string&, Names);
template Option& OptionList::value(Names, Names, std::filesystem::path&, Names);
template Option& OptionList::value(Names, Names, int&, Names);
template Option& OptionList::value(Names, Names, std::int64_t&, Names);
template Option& OptionList::value(Names, Names, std::uint64_t&, Names);
template Option& OptionList::value(Names, Names, double&, Names);
template Option& OptionList::value(Names, Names, std::optional<std::int64_t>&, Names);
template Option& OptionList::value(Names, Names, std::optional<std::uint64_t>&, Names);
template Option& OptionList::value(Names, Names, std::optional<double>&, Names);
template Option& OptionList::value(Names, Names, std::vector<std::string>&, Names);
template Option& OptionList::value(Names, Names, std::vector<int>&, Names);
template Option& OptionList::value(Names, Names, std::vector<std::int64_t>&, Names);

Option& OptionList::take(const std::string& names, const std::string& value_name,
                         std::function<void(const std::string&)> take, const std::string& help) {
    return add(command_.add_option_function<std::string>(names, std::move(take), help), names,
               value_name, help);
}

Option& OptionList::take_all(const std::string& names, const std::string& value_name,
                             std::function<void(const std::vector<std::string>&)> take,
                             const std::string& help) {
    return add(command_.add_option_function<std::vector<std::string>>(names, std::move(take), help),
               names, value_name, help);
}

Option& OptionList::take_numbers(const std::string& names, const std::string& value_name,
                                 std::function<void(const std::vector<float>&)> take,
                                 const std::string& help) {
    return add(command_.add_option_function<std::vector<float>>(names, std::move(take), help),
               names, value_name, help);
}

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
    // on Windows too "/folder/net.onnx" is a file; commands inherit this setting
    app.allow_windows_style_options(false);
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

std::optional<std::string> ArgumentParser::parse(int argc, const char* const* argv,
                                                 std::ostream& out) {
    if (const std::string problem = unknown_command(argc, argv); !problem.empty())
        throw UsageError(problem);
    if (const std::string problem = empty_list(argc, argv); !problem.empty())
        throw UsageError(problem);
    const std::vector<std::string> separated = separate_empty_values(argc, argv);
    std::vector<const char*> words;
    for (const std::string& word : separated) words.push_back(word.c_str());
    try {
        parts_->app.parse(static_cast<int>(words.size()), words.data());
    } catch (const CLI::ExtrasError& error) {
        throw UsageError(unknown_arguments(error.what()));
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw UsageError(error.what());
        parts_->app.exit(error, out, out);  // --help, --version
        return std::nullopt;
    }
    return parts_->app.get_subcommands().front()->get_name();
}

/// The error for an unknown command, which is the first argument that is not an option. Suggests
/// the nearest command.
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

/// The error for a list of nothing but commas. CLI11 would drop it and take the next argument.
std::string ArgumentParser::empty_list(int argc, const char* const* argv) const {
    const std::vector<std::string_view> arguments(argv + std::min(argc, 1), argv + argc);
    const auto named = std::ranges::find_if(
        arguments, [](std::string_view argument) { return !argument.starts_with('-'); });
    if (named == arguments.end()) return {};
    const auto command = std::ranges::find_if(
        parts_->commands, [&](const Parts::Command& one) { return one.app->get_name() == *named; });
    if (command == parts_->commands.end()) return {};
    for (auto at = named + 1; at != arguments.end() && *at != "--"; ++at)
        for (const Option& option : command->options->all()) {
            const OptionInfo& info = option.info();
            if (!info.takes_list || info.is_positional()) continue;
            const std::string_view name = at->substr(0, at->find('='));
            if (std::ranges::find(info.names, name) == info.names.end()) continue;
            std::string_view list;
            if (name.size() < at->size()) list = at->substr(name.size() + 1);
            else if (at + 1 != arguments.end()) list = at[1];
            if (!list.empty() && list.find_first_not_of(',') == std::string_view::npos)
                return info.name() + ": expected " + info.value_name + ", found " + quote(list);
        }
    return {};
}

/// The words for CLI11, which takes the next word as the value for "--name=" with nothing behind,
/// even the "--" that ends the options. Such a word becomes two: "--name" and an empty one.
/// Likewise an option that may stand without its value gets an empty one before "--".
std::vector<std::string> ArgumentParser::separate_empty_values(int argc,
                                                               const char* const* argv) const {
    const std::vector<std::string> given(argv, argv + argc);
    const auto named = std::find_if(given.begin() + std::min(argc, 1), given.end(),
                                    [](const auto& word) { return !word.starts_with('-'); });
    if (named == given.end()) return given;
    const auto command = std::ranges::find_if(
        parts_->commands, [&](const Parts::Command& one) { return one.app->get_name() == *named; });
    if (command == parts_->commands.end()) return given;
    std::vector<std::string> words(given.begin(), named + 1);
    for (auto at = named + 1; at != given.end(); ++at) {
        if (*at == "--") {
            words.insert(words.end(), at, given.end());
            break;
        }
        const std::string name = at->substr(0, at->find('='));
        words.push_back(*at);
        const auto option = std::ranges::find_if(command->options->all(), [&](const Option& one) {
            const std::vector<std::string>& names = one.info().names;
            return std::ranges::find(names, name) != names.end();
        });
        if (option == command->options->all().end() || !option->info().takes_value() ||
            option->info().is_positional())
            continue;
        const bool is_alone = name == *at;
        if (!is_alone && name.starts_with("--") && name.size() + 1 == at->size()) {
            words.back() = name;
            words.emplace_back();
        } else if (is_alone && option->info().value_is_optional) {
            if (at + 1 != given.end() && at[1] == "--") words.emplace_back();
        } else if (is_alone && at + 1 != given.end()) {
            words.push_back(*++at);  // its value, whatever it looks like
        }
    }
    return words;
}

/// The error for unknown arguments. Suggests the nearest options.
std::string ArgumentParser::unknown_arguments(const std::string& otherwise) const {
    for (const Parts::Command& command : parts_->commands) {
        if (!command.app->parsed()) continue;
        for (const std::string& argument : command.app->remaining()) {
            if (!argument.starts_with("--")) continue;
            const std::string name = argument.substr(0, argument.find('='));
            std::vector<std::string> names;
            for (const Option& option : command.options->all())
                if (!option.info().is_positional() && !option.info().is_hidden)
                    names.push_back(option.info().name());
            const std::string meant = did_you_mean(name, names);
            return command.app->get_name() + " has no option " + quote(name) +
                   (meant.empty() ? forgotten_dashes(*command.options, command.app->remaining())
                                  : meant);
        }
    }
    return otherwise;
}

}  // namespace lapidary::cli
