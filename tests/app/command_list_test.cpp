// SPDX-License-Identifier: Apache-2.0
// The list of commands, the folder that holds them and the help name the same ones.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <lapidary/advice/advice.h>

#include "app/command_runner.h"
#include "cli/command_list.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(CommandList, NamesTheCommandsOfTheFolder) {
    const std::string ending = "_command.cpp";
    std::set<std::string> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_folder() / "app/cli")) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(ending)) files.insert(name.substr(0, name.size() - ending.size()));
    }
    const std::vector<std::string> names = cli::command_names();
    EXPECT_EQ(std::set(names.begin(), names.end()), files);
    EXPECT_EQ(names.size(), files.size());
}

TEST(CommandList, EachCommandIsInTheHelpWithItsOptions) {
    const cli::Program program;
    const std::string help = run({"--help"}).out;
    for (const cli::DeclaredCommand& command : program.commands) {
        EXPECT_NE(help.find("\n  " + command.name + ' '), std::string::npos) << command.name;
        EXPECT_NE(help.find(command.text.summary), std::string::npos) << command.text.summary;
        const std::string own = run({command.name, "--help"}).out;
        for (const cli::Option& option : command.options->all())
            EXPECT_EQ(own.find(option.info().name() + ' ') != std::string::npos,
                      !option.info().is_hidden)
                << command.name << ' ' << option.info().name();
        for (const std::string& example : command.text.examples) {
            EXPECT_TRUE(example.starts_with("lapidary-cli " + command.name)) << example;
            EXPECT_NE(own.find(example), std::string::npos) << example;
        }
    }
}

/// What a variable of a script that is not set makes of an option: `-o "$OUT"` is no order to write
/// nothing.
TEST(CommandList, NoOptionTakesAnEmptyValue) {
    const cli::Program program;
    std::size_t checked = 0, named = 0;
    for (const cli::DeclaredCommand& command : program.commands) {
        for (const cli::Option& option : command.options->all()) {
            const cli::OptionInfo& info = option.info();
            if (!info.takes_value() || info.value_is_optional || info.is_hidden) continue;
            named += info.may_be_empty;
            if (info.may_be_empty) continue;
            const CommandOutcome outcome = info.is_positional()
                                               ? run({command.name, ""})
                                               : run({command.name, info.name(), ""});
            EXPECT_EQ(outcome.code, cli::exit_usage)
                << command.name << ' ' << info.name() << ": " << outcome.err;
            if (!info.is_positional())
                EXPECT_NE(outcome.err.find(info.name()), std::string::npos)
                    << command.name << ": " << outcome.err;
            ++checked;
        }
    }
    EXPECT_GT(checked, 300u);
    EXPECT_EQ(named, 3u) << "nodes without a name are extracted by it; texts may be empty";
    expect_error(run({"optimize", "sample:mlp", "-o", ""}), cli::exit_usage,
                 {"--output", "expected OUT", "empty"});
}

/// A shell's words of "lapidary-cli sweep MODEL --intra 1,2,4".
std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

TEST(CommandList, AdviceNamesCommandsAndOptionsThatAreThere) {
    const cli::Program program;
    for (const auto& check : Json::parse(advice_texts_json())["checks"]) {
        const std::vector<std::string> words = words_of(check["command"]);
        const auto command =
            std::ranges::find(program.commands, words.at(1), &cli::DeclaredCommand::name);
        ASSERT_NE(command, program.commands.end()) << check["command"];
        for (const std::string& word : words)
            EXPECT_TRUE(!word.starts_with('-') ||
                        std::ranges::any_of(command->options->all(),
                                            [&](const cli::Option& option) {
                                                return std::ranges::find(option.info().names,
                                                                         word) !=
                                                       option.info().names.end();
                                            }))
                << words.at(1) << " has no " << word;
    }
}

}  // namespace
}  // namespace lapidary
