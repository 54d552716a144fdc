// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_words.h"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <lapidary/base/error.h>

#include "cli/command_list.h"
#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

/// Options that name a file or folder to write, where they take one at all.
constexpr std::array<std::string_view, 9> output_options{"--output", "--outputs", "--csv",
                                                         "--report", "--snippet", "--save",
                                                         "--tables", "--junit",   "--summary"};

/// Options that name what figures depend on.
constexpr std::array<std::string_view, 6> data_options{"--data",   "--labels", "--against",
                                                       "--inputs", "--speech", "--vocabulary"};

constexpr std::string_view model_mark = "{}", name_mark = "{name}", step_mark = "then";

void replace_all(std::string& text, std::string_view mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
}

/// "resnet" of "zoo/resnet.onnx" and of "sample:resnet".
std::string short_name(const std::string& model) {
    constexpr std::string_view sample = "sample:";
    return model.starts_with(sample) ? model.substr(sample.size())
                                     : std::filesystem::path(model).stem().string();
}

/// Whether the option is one of `names` and takes files or folders.
template <typename Names>
bool names_file(const OptionInfo& info, const Names& names) {
    return (info.suggestions.files || info.suggestions.folders) &&
           std::ranges::find(names, info.name()) != names.end();
}

}  // namespace

CheckedCommand checked_command(const Words& words) {
    Program program;
    std::vector<const char*> argv{"lapidary-cli"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    std::ostringstream printed;
    const auto name = program.parser.parse(static_cast<int>(argv.size()), argv.data(), printed);
    if (!name) throw UsageError("farm plan: expected a command to run, found one for help");
    const DeclaredCommand& declared =
        *std::ranges::find(program.commands, *name, &DeclaredCommand::name);
    CheckedCommand found;
    found.name = *name;
    for (const Option& option : declared.options->all()) {
        found.has_json = found.has_json || option.info().name() == "--json";
        if (option.info().is_positional()) {
            for (const std::string& value : option.values()) found.models.push_back(value);
        } else if (option.is_given()) {
            found.given.push_back(option.info().name());
            const bool is_output = names_file(option.info(), output_options);
            for (const std::string& value : option.values())
                if (is_output) found.outputs.push_back(value);
                else if (names_file(option.info(), data_options)) found.data.push_back(value);
        }
    }
    return found;
}

std::vector<Words> steps_of(const Words& words) {
    std::vector<Words> steps(1);
    for (const std::string& word : words) {
        if (word == step_mark) steps.emplace_back();
        else steps.back().push_back(word);
    }
    for (const Words& step : steps)
        if (step.empty())
            throw UsageError("farm plan: expected a command behind --, and behind each " +
                             quote(step_mark));
    return steps;
}

Words words_for_model(const Words& words, const std::string& model, bool is_first) {
    const bool names_it = std::ranges::any_of(words, [is_first](const std::string& word) {
        return word.find(model_mark) != std::string::npos ||
               (!is_first && word.find(name_mark) != std::string::npos);
    });
    Words made = words;
    for (std::string& word : made) {
        replace_all(word, name_mark, short_name(model));
        replace_all(word, model_mark, model);
    }
    if (!names_it) made.insert(made.begin() + 1, model);
    return made;
}

Words with_options(Words words, const Words& options) {
    words.insert(std::ranges::find(words, "--"), options.begin(), options.end());
    return words;
}

Words outputs_in(const Words& words) {
    try {
        return checked_command(words).outputs;
    } catch (const std::exception&) {  // running the command reports it
        return {};
    }
}

std::string shell_line(const Words& words) {
    std::string line;
    for (const std::string& word : words) {
        const bool is_plain =
            !word.empty() && word.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_-+=./:,@%") == std::string::npos;
        std::string shown = word;
        if (!is_plain) {
            replace_all(shown, "'", "'\\''");
            shown = "'" + shown + "'";
        }
        line += (line.empty() ? "" : " ") + shown;
    }
    return line;
}

}  // namespace lapidary::cli
