// SPDX-License-Identifier: Apache-2.0
// Runs lapidary-cli's commands inside the test program.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/progress.h>

#include "cli/command_line.h"

namespace lapidary {

using Json = nlohmann::json;

struct CommandOutcome {
    int code = -1;
    std::string out, err;
    Json json() const { return Json::parse(out); }
};

inline CommandOutcome run(const std::vector<std::string>& arguments,
                          const CancelToken& cancel = {}) {
    std::vector<const char*> argv = {"lapidary-cli"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    std::ostringstream out, err;
    CommandOutcome outcome;
    outcome.code =
        cli::run_command_line(static_cast<int>(argv.size()), argv.data(), out, err, cancel);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

/// Exactly one line that starts with the program's name and contains the words.
inline void expect_error(const CommandOutcome& outcome, int code,
                         const std::vector<std::string>& words) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("lapidary-cli: ", 0), 0u) << outcome.err;
    for (const std::string& word : words)
        EXPECT_NE(outcome.err.find(word), std::string::npos)
            << "no \"" << word << "\" in " << outcome.err;
}

}  // namespace lapidary
