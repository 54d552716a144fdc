// SPDX-License-Identifier: Apache-2.0
// How farms are reported, as text and as JSON.
#pragma once

#include <iosfwd>

#include "cli/farm/farm_merging.h"
#include "cli/farm/farm_running.h"
#include "cli/output/json_value.h"

namespace lapidary::cli {

Json farm_plan_json(const FarmOptions& options, const app::FarmPlan& plan);
void print_farm_plan(std::ostream& out, const FarmOptions& options, const app::FarmPlan& plan);

Json farm_run_json(const FarmShardRun& run);
void print_farm_run(std::ostream& out, const FarmShardRun& run);

Json farm_merge_json(const FarmOptions& options, const FarmMerge& merge);
void print_farm_merge(std::ostream& out, const FarmOptions& options, const FarmMerge& merge);

}  // namespace lapidary::cli
