// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string_view>

#include <lapidary/base/progress.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

class OptionList;

/// What the error stream can show besides text, and what a program that calls commands adds.
struct TerminalFeatures {
    bool progress = false;  // a progress line that is redrawn
    bool colour = false;
    /// Called with what Progress::report gets, by any thread of the command, for programs that show
    /// progress in their own way; empty: nothing expects it.
    std::function<void(std::string_view stage, double fraction)> on_progress = {};
    /// Called with the options of the command after they were parsed, before anything is done. It
    /// may throw Error, with which the command ends; empty: all options are taken.
    std::function<void(const OptionList& options)> check_options = {};
};

/// The whole program: parses the arguments, runs one command, writes results to `out` and one
/// sentence per error to `err`, both with printable characters only. `cancel` stops model loading
/// and runs. Throws only what printing throws.
int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const CancelToken& cancel = {}, const TerminalFeatures& features = {});

}  // namespace lapidary::cli
