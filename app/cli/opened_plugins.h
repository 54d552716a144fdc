// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.h"

namespace lapidary::cli {

/// Opens what find_plugins() finds. One that `given` or LAPIDARY_PLUGINS name must be usable; of others that are not a
/// note says why. Throws what open_plugin() throws.
void open_found_plugins(const std::vector<std::string>& given, Terminal& terminal);

}  // namespace lapidary::cli
