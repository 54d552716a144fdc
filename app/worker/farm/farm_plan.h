// SPDX-License-Identifier: Apache-2.0
// A job that is divided into shards, which any batch system runs: `lapidary-cli farm`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary::app {

/// What is divided among the shards.
enum class FarmSplit {
    models,     // each model is a task of one shard
    samples,    // each shard runs a part of the samples of each model
    candidates  // each shard tries a part of the recipes of a search
};
std::string_view name_of(FarmSplit split);

/// What one shard does with one model.
struct FarmTask {
    std::uint64_t shard = 0;
    std::string model;        // as the command names it
    std::uint64_t bytes = 0;  // of its file when the plan was made; 0: it is no file
    /// Commands that run one after the other, each the words behind "lapidary-cli".
    std::vector<std::vector<std::string>> steps;
    std::string content = {};  // of what it reads when the plan was made; empty: not known
};

/// All tasks of a job.
struct FarmPlan {
    std::uint64_t shards = 1;
    FarmSplit split = FarmSplit::models;
    std::vector<std::string> command;  // as it was given
    std::vector<FarmTask> tasks;       // by shard

    /// Indices of the tasks of one shard.
    std::vector<std::uint64_t> tasks_of(std::uint64_t shard) const;
};

/// The most tasks of a plan.
constexpr std::uint64_t most_farm_tasks = 1'000'000;

/// JSON that parse_farm_plan() reads back.
std::string farm_plan_text(const FarmPlan& plan);
/// Throws invalid_input naming what is wrong.
FarmPlan parse_farm_plan(std::string_view text);
/// 16 hexadecimal digits that differ for plans of different content. Results name their plan by it.
std::string farm_plan_hash(const FarmPlan& plan);

}  // namespace lapidary::app
