// SPDX-License-Identifier: Apache-2.0
// Options for how report and compare run and measure variants.
#pragma once

#include "cli/options/option_list.h"
#include "cli/compare/side_by_side.h"

namespace lapidary::cli {

void add_side_options(OptionList& options, SideOptions& sides);

}  // namespace lapidary::cli
