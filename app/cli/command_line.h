// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include <lapidary/base/progress.h>

#include "cli/exit_code.h"

namespace lapidary::cli {

/// What the error stream can show besides text.
struct TerminalFeatures {
    bool progress = false;  // a line that is drawn again and again
    bool colour = false;
};

/// The whole program: parses, runs one command, writes results to `out` and one sentence per error
/// to `err`, all of it printable. `cancel` stops model loading and runs. Throws nothing but what
/// printing throws.
int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const CancelToken& cancel = {}, const TerminalFeatures& features = {});

}  // namespace lapidary::cli
