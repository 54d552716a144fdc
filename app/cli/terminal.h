// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include <lapidary/base/progress.h>

#include "cli/output/progress_line.h"

namespace lapidary::cli {

/// Where a command writes and what stops it.
struct Terminal {
    std::ostream& out;
    std::ostream& err;
    CancelToken cancel;
    bool json = false, quiet = false;       // quiet: errors alone go to `err`
    std::string stage = {};                 // what the command is at, for errors
    ProgressLine* progress_line = nullptr;  // where a terminal shows one

    Progress progress() {
        return {cancel, [this](std::string_view name, double fraction) {
                    if (stage != name) stage = name;
                    if (progress_line) progress_line->update(name, fraction);
                }};
    }
    /// A line beside the results, for people.
    void note(const std::string& text) {
        if (!text.empty() && !json && !quiet) err << "lapidary-cli: " << text << '\n';
    }
};

}  // namespace lapidary::cli
