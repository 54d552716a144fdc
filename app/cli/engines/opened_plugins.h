// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/terminal.h"

namespace lapidary::cli {

struct OpeningOptions {
    // called for each file before it is opened
    std::function<void(const std::string& file)> before = {};
    /// Files that the user named are opened in a separate process first, so that a crash is
    /// reported and does not end the command.
    bool probes = true;
};

/// Opens the plugins that find_plugins() finds, except the files in `off`. A plugin that `given` or
/// LAPIDARY_PLUGINS names must be usable; for others that are not usable a note says why. Throws
/// what open_plugin() and require_safe_to_open() throw.
void open_found_plugins(const std::vector<std::string>& given, const std::vector<std::string>& off,
                        const OpeningOptions& options, Terminal& terminal);

/// Opens libraries of custom operators. A note says which operators are left out and why. Throws
/// what open_custom_operators() and require_safe_to_open() throw.
void open_custom_operator_libraries(const std::vector<std::string>& files,
                                    const OpeningOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
