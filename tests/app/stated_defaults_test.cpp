// SPDX-License-Identifier: Apache-2.0
// "N unless given" in the help of an option is what the program takes where the option is not
// given.
#include <cstdlib>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "app/command_runner.h"
#include "cli/command_list.h"

namespace lapidary {
namespace {

TEST(StatedDefaults, AreThoseOfTheProgram) {
    static const std::regex reported(R"((\d+(?:\.\d+)?(?:e-?\d+)?) unless given)");
    const cli::Program program;
    std::size_t compared = 0;
    for (const cli::DeclaredCommand& command : program.commands)
        for (const cli::Option& option : command.options->all()) {
            const cli::OptionInfo& info = option.info();
            std::smatch found;
            if (!std::regex_search(info.help, found, reported) || info.initial.empty()) continue;
            char* end = nullptr;
            const double initial = std::strtod(info.initial.c_str(), &end);
            if (*end != '\0') continue;  // in words
            EXPECT_DOUBLE_EQ(std::stod(found[1]), initial)
                << command.name << ' ' << info.name() << ": " << info.help;
            ++compared;
        }
    EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace lapidary
