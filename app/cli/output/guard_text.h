// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include <lapidary/proof/guard.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Prints a table of outputs and a verdict, which begins with `title` ("guard").
void print_guard(std::ostream& out, const std::string& title, const GuardReport& report);
Json guard_json(const GuardReport& report);

}  // namespace lapidary::cli
