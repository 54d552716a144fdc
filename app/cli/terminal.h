// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include <lapidary/base/progress.h>

#include "cli/output/progress_line.h"

namespace lapidary::cli {

/// Where a command writes, and its cancel token.
struct Terminal {
    std::ostream& out;
    std::ostream& err;
    CancelToken cancel;
    bool json = false, quiet = false;       // quiet: only errors go to `err`
    std::string stage = {};                 // the stage of the command, for errors
    ProgressLine* progress_line = nullptr;  // null unless the terminal shows one
    // of a program that calls commands, see TerminalFeatures; empty: there is none
    std::function<void(std::string_view stage, double fraction)> on_progress = {};

    Progress progress() {
        return {cancel, [this](std::string_view name, double fraction) {
                    if (stage != name) stage = name;
                    if (progress_line) progress_line->update(name, fraction);
                    if (on_progress) on_progress(name, fraction);
                }};
    }
    /// Prints a note for the user, separate from the results.
    void note(const std::string& text) {
        if (!text.empty() && !json && !quiet) err << "lapidary-cli: " << text << '\n';
    }
};

}  // namespace lapidary::cli
