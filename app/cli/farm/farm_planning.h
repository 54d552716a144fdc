// SPDX-License-Identifier: Apache-2.0
// Makes the plan of a farm: one task for each model, or for each shard of each model.
#pragma once

#include "cli/farm/farm_options.h"

namespace lapidary::cli {

/// Checks the command by the declarations of its options. Throws UsageError for a command that
/// cannot be divided as asked, and what finding the models throws.
app::FarmPlan make_farm_plan(const FarmOptions& options);

}  // namespace lapidary::cli
