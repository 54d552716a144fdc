// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>

#include <lapidary/proof/guard.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Prints a table of outputs and a verdict, which begins with `title` ("guard"). `compared` says
/// behind PASSED or FAILED what was compared, where that is not the whole: "before the edits".
void print_guard(std::ostream& out, const std::string& title, const GuardReport& report,
                 const std::string& compared = {});
Json guard_json(const GuardReport& report);

}  // namespace lapidary::cli
