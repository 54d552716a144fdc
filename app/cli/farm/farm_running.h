// SPDX-License-Identifier: Apache-2.0
// Runs one shard of a farm.
#pragma once

#include "cli/farm/farm_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// How many tasks of the shard ran now, were done before, and failed.
struct FarmShardRun {
    std::uint64_t shard = 0, ran = 0, kept = 0;
    std::vector<app::FarmTask> failed;
    std::vector<std::string> errors;  // of each
    std::filesystem::path file;       // that has its result
};

/// Runs what is not done yet, or all of it with `again`. After each task what is done is kept in a
/// file, so that a process that is killed goes on there. A task that five processes died of counts
/// as failed. Throws what reading the plan and writing the result throw, and cancelled.
FarmShardRun run_farm_shard(const FarmOptions& options, Terminal& terminal);

/// The plan in the file. Throws with the file's name.
app::FarmPlan load_farm_plan(const std::filesystem::path& file);

}  // namespace lapidary::cli
