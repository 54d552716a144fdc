// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/base/progress.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

/// What the error stream can show besides text.
struct TerminalFeatures {
    bool progress = false;  // a progress line that is redrawn
    bool colour = false;
};

/// The whole program: parses the arguments, runs one command, writes results to `out` and one
/// sentence per error to `err`, both with printable characters only. `cancel` stops model loading
/// and runs. Throws only what printing throws.
int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const CancelToken& cancel = {}, const TerminalFeatures& features = {});

}  // namespace lapidary::cli
