// SPDX-License-Identifier: Apache-2.0
// Completions and man pages: each option is in them, the programs that read them take them, and
// they complete.
#include <cstdio>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "app/command_runner.h"
#include "cli/command_list.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

struct Printed {
    int status = -1;
    std::string text;  // of both streams
};

Printed shell(const std::string& command) {
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    Printed printed;
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, pipe)) printed.text += buffer;
    printed.status = pclose(pipe);
    return printed;
}

bool has_program(const std::string& name) { return shell("command -v " + name).status == 0; }

class GeneratedPages : public testing::Test {
protected:
    /// The script as a file.
    std::string script(const std::string& shell_name) {
        const std::string path = (folder_ / ("completion." + shell_name)).string();
        EXPECT_EQ(run({"completion", shell_name, "-o", path}).code, 0);
        return path;
    }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    TemporaryFolder folder_;
};

TEST_F(GeneratedPages, EachScriptHasEachCommandOptionAndWord) {
    const cli::Program program;
    const std::string bash = run({"completion", "bash"}).out, zsh = run({"completion", "zsh"}).out,
                      fish = run({"completion", "fish"}).out;
    for (const cli::DeclaredCommand& command : program.commands) {
        EXPECT_NE(zsh.find("'" + command.name + ":"), std::string::npos) << command.name;
        EXPECT_NE(fish.find(" -a " + command.name + " -d "), std::string::npos) << command.name;
        const std::string names_of_bash =
            bash.substr(bash.find("    " + command.name + ") offered="));
        const std::string line = names_of_bash.substr(0, names_of_bash.find('\n'));
        const std::size_t of_zsh = zsh.find("        " + command.name + ")\n");
        ASSERT_NE(of_zsh, std::string::npos) << command.name;
        const std::string block = zsh.substr(of_zsh, zsh.find("&& return ;;", of_zsh) - of_zsh);
        for (const cli::Option& option : command.options->all()) {
            const cli::OptionInfo& info = option.info();
            if (info.is_positional()) continue;
            const std::string place = command.name + " " + info.name();
            EXPECT_EQ(std::regex_search(line, std::regex("[ ']" + info.name() + "[ ']")),
                      !info.is_hidden)
                << place;
            EXPECT_EQ(std::regex_search(block, std::regex(info.name() + "=?\\[")), !info.is_hidden)
                << place;
            const std::string of_fish = "'__lapidary_cli_at " + command.name + "'";
            EXPECT_EQ(std::regex_search(fish, std::regex(of_fish + "( -s \\w)? -l " +
                                                         info.name().substr(2) + " ")),
                      !info.is_hidden)
                << place;
            for (const std::string& word : info.suggestions.words)
                for (const std::string& text : {bash, zsh, fish})
                    EXPECT_NE(text.find(word), std::string::npos) << place << ' ' << word;
        }
    }
    for (const PassInfo& pass : all_passes())
        EXPECT_NE(bash.find(pass.name), std::string::npos) << pass.name;
    for (const SampleInfo& sample : list_samples())
        EXPECT_NE(bash.find("sample:" + std::string(sample.name)), std::string::npos)
            << sample.name;
}

TEST_F(GeneratedPages, ManPagesHaveEachCommandAndOption) {
    const cli::Program program;
    const std::string whole = run({"man"}).out;
    const auto as_roff = [](const std::string& text) {
        return std::regex_replace(text, std::regex("-"), "\\-");
    };
    for (const cli::DeclaredCommand& command : program.commands) {
        EXPECT_NE(whole.find("\n\\fB" + command.name + "\\fR\n"), std::string::npos)
            << command.name;
        EXPECT_NE(whole.find("lapidary\\-cli\\-" + command.name + " (1)"), std::string::npos)
            << command.name;
        const CommandOutcome page = run({"man", command.name});
        EXPECT_EQ(page.code, 0) << page.err;
        for (const cli::Option& option : command.options->all())
            for (const std::string& name : option.info().names) {
                if (option.info().is_positional()) continue;
                EXPECT_EQ(page.out.find("\\fB" + as_roff(name) + "\\fR") != std::string::npos,
                          !option.info().is_hidden)
                    << command.name << ' ' << name;
            }
        for (const std::string& example : command.text.examples)
            EXPECT_NE(page.out.find("\n" + as_roff(example.substr(0, example.find(" -o ")))),
                      std::string::npos)
                << example;
    }
    expect_error(run({"man", "optimise"}), cli::exit_usage, {"\"optimise\"", "\"optimize\""});
}

TEST_F(GeneratedPages, ManPagesAreAsManWantsThem) {
    const std::string pages = (folder_ / "man1").string();
    ASSERT_EQ(run({"man", "-o", pages}).code, 0);
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(pages)) {
        ++count;
        if (has_program("groff")) {
            EXPECT_EQ(
                shell("groff -man -ww -Tutf8 -Kutf8 '" + entry.path().string() + "' >/dev/null")
                    .text,
                "");
        }
        if (!has_program("man")) continue;
        EXPECT_EQ(
            shell("man --warnings -E UTF-8 -l -Tutf8 -Z '" + entry.path().string() + "' >/dev/null")
                .text,
            "");
        const Printed shown = shell("MANWIDTH=100 man -l '" + entry.path().string() + "'");
        for (const char* section : {"NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "SEE ALSO"})
            EXPECT_NE(shown.text.find(std::string("\n") + section), std::string::npos)
                << entry.path() << section;
    }
    EXPECT_EQ(count, cli::command_names().size() + 1);
}

/// A line as readline hands it to the function, which breaks words at "=" and ":" too, and what is
/// offered.
struct Completed {
    std::string words;  // as in bash, the last one is completed
    std::string replies;
};

TEST_F(GeneratedPages, BashCompletes) {
    if (!has_program("bash")) GTEST_SKIP() << "bash is not installed";
    const std::string path = script("bash");
    EXPECT_EQ(shell("bash -n '" + path + "'").text, "");
    std::filesystem::create_directory(folder_ / "models");
    for (const char* name : {"net.onnx", "my net.onnx", "in.npz", "trace.json"}) write(name, "");
    const std::string levels = "disabled basic extended all", model = "lapidary-cli run net.onnx ";
    const std::vector<Completed> cases{
        {"lapidary-cli op", "optimize"},
        {"lapidary-cli --v", "--version"},
        {"lapidary-cli run net", "net.onnx"},
        {"lapidary-cli run m", "'my net.onnx' models"},
        {"lapidary-cli run sample : resnet1", "resnet18"},
        {"lapidary-cli profile tr", "trace.json"},
        {"lapidary-cli run tr", ""},
        {"lapidary-cli -q run --lev", "--level"},
        {model + "--le", "--level"},
        {model + "--level ''", levels},
        {model + "--level = e", "extended"},
        {model + "--inputs ''", "in.npz models"},
        {model + "--input x = i", "in.npz"},
        {model + "--config execution_mode = ORT_P", "ORT_PARALLEL"},
        {model + "--config arena_extend_strategy = ''", "kNextPowerOfTwo kSameAsRequested"},
        {model + "--seed ''", ""},
        {model + "--seed 7 --disable-pass drop_rounding", "drop_rounding_casts"},
        {"lapidary-cli bench net.onnx --level all,b", "all,basic"},
        {"lapidary-cli bench net.onnx n", "net.onnx"},
        {"lapidary-cli bench net.onnx --json t", "trace.json"},
        {"lapidary-cli bench net.onnx --json --any", "--any-machine"},
        {"lapidary-cli optimize net.onnx --target ''", "portable plain cpu"},
        {"lapidary-cli check net.onnx --case ''", "models"},
        {"lapidary-cli compare net.onnx n", "net.onnx"},
        {"lapidary-cli snippet net.onnx --language c", "c cpp csharp"},
        {"lapidary-cli man bi", "bisect"},
        {"lapidary-cli completion z", "zsh"},
    };
    std::string harness =
        "cd '" + folder_.path().string() + "'; source '" + path + "'\n" +
        "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
        "offers() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _lapidary_cli; }\n";
    for (const Completed& line : cases)
        harness += "offers " + line.words + "; wanted=(" + line.replies + ")\n" +
                   "[[ ${COMPREPLY[*]@Q} == ${wanted[*]@Q} ]] || echo \"" + line.words +
                   ": ${COMPREPLY[*]@Q} instead of ${wanted[*]@Q}\"\n";
    EXPECT_EQ(shell("bash --norc '" + write("harness.bash", harness) + "'").text, "");
}

TEST_F(GeneratedPages, ZshTakesItsScript) {
    if (!has_program("zsh")) GTEST_SKIP() << "zsh is not installed";
    const std::string path = script("zsh");
    EXPECT_EQ(shell("zsh -f -n '" + path + "'").text, "");
    EXPECT_EQ(shell("zsh -f -c 'autoload -U compinit; compinit -D -u; source \"" + path +
                    "\"; print $_comps[lapidary-cli]'")
                  .text,
              "_lapidary-cli\n");
}

TEST_F(GeneratedPages, FishCompletes) {
    if (!has_program("fish")) GTEST_SKIP() << "fish is not installed";
    const std::string path = script("fish");
    EXPECT_EQ(shell("fish --no-config --no-execute '" + path + "'").text, "");
    for (const char* name : {"net.onnx", "in.npz"}) write(name, "");
    const std::vector<Completed> cases{{"lapidary-cli op", "optimize"},
                                       {"lapidary-cli run net", "net.onnx"},
                                       {"lapidary-cli run in.n", ""},
                                       {"lapidary-cli run net.onnx --inputs ", "in.npz"},
                                       {"lapidary-cli run net.onnx --level e", "extended"},
                                       {"lapidary-cli bench net.onnx --level all,b", "all,basic"},
                                       {"lapidary-cli run net.onnx --le", "--level"},
                                       {"lapidary-cli info net.onnx --le", ""},
                                       {"lapidary-cli completion z", "zsh"}};
    std::string harness = "cd '" + folder_.path().string() + "'; source '" + path + "'\n";
    for (const Completed& line : cases)
        harness += "set offered (complete -C '" + line.words + "' | string split -f 1 \\t)\n" +
                   "test \"$offered\" = '" + line.replies + "'; or echo '" + line.words +
                   ":' $offered\n";
    EXPECT_EQ(shell("HOME='" + folder_.path().string() + "' fish --no-config '" +
                    write("harness.fish", harness) + "'")
                  .text,
              "");
}

}  // namespace
}  // namespace lapidary
