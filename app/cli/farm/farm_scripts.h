// SPDX-License-Identifier: Apache-2.0
// What batch systems are given to run the shards of a farm.
#pragma once

#include <string>

#include "cli/farm/farm_options.h"

namespace lapidary::cli {

/// A script for bash that submits an array job of Slurm with a task for each shard, and a job that
/// merges when all have ended. Slurm puts shards of lost or preempted nodes in the queue again.
std::string slurm_script(const FarmOptions& options, const app::FarmPlan& plan);
/// The line that runs all shards on this machine by GNU parallel, one at a time.
std::string parallel_line(const FarmOptions& options, const app::FarmPlan& plan);
/// "lapidary-cli farm run job.json --shard 3"; `again`: with --again
std::string run_line(const FarmOptions& options, std::uint64_t shard, bool again = false);
/// "lapidary-cli farm merge job.json -o job.merged.json"
std::string merge_line(const FarmOptions& options);

}  // namespace lapidary::cli
