// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/terminal.h"

namespace lapidary::cli {

/// Told of each file before it is opened.
using BeforeOpening = std::function<void(const std::string& file)>;

/// Opens what find_plugins() finds, but for the files of `off`. One that `given` or LAPIDARY_PLUGINS name must be
/// usable; of others that are not a note says why. Throws what open_plugin() throws.
void open_found_plugins(const std::vector<std::string>& given, const std::vector<std::string>& off,
                        const BeforeOpening& before, Terminal& terminal);

/// Opens libraries of custom operators; of operators that are left out a note says why. Throws what
/// open_custom_operators() throws.
void open_custom_operator_libraries(const std::vector<std::string>& files, const BeforeOpening& before,
                                    Terminal& terminal);

}  // namespace lapidary::cli
