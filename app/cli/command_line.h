// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/progress.h>

namespace lapidary::cli {

enum ExitCode {
    exit_fine = 0,
    exit_check_failed = 1,
    exit_usage = 2,
    exit_bad_input = 3,      // bad model, input, file, or a limit would be passed
    exit_not_supported = 4,
    exit_cancelled = 5,
    exit_internal = 6        // a bug
};

/// What the error stream can show besides text.
struct TerminalFeatures {
    bool progress = false;  // a line that is drawn again and again
    bool colour = false;
};

/// The whole program: parses, runs one command, writes results to `out` and one sentence per error to
/// `err`, all of it printable. `cancel` stops model loading and runs. Throws nothing but what printing throws.
int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const CancelToken& cancel = {}, const TerminalFeatures& features = {});

}  // namespace lapidary::cli
