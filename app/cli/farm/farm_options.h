// SPDX-License-Identifier: Apache-2.0
// What the command line asks of a farm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "worker/farm/farm_plan.h"

namespace lapidary::cli {

struct FarmOptions {
    std::filesystem::path plan;        // its file
    std::vector<std::string> command;  // of a new plan: words behind "lapidary-cli"
    std::vector<std::string> models;   // files, folders, patterns of files, samples
    std::uint64_t shards = 0;          // 0: by per_shard
    std::uint64_t per_shard = 0;       // tasks; 0: by shards
    std::optional<app::FarmSplit> split;
    std::filesystem::path slurm;         // script to write; empty: none
    std::optional<std::uint64_t> shard;  // to run
    bool again = false;                  // runs what is done too
    std::filesystem::path results;       // folder; empty: the usual one
    std::filesystem::path output;        // of merge; empty: none
    bool partial = false;                // merges what there is

    std::filesystem::path results_folder() const;
};

}  // namespace lapidary::cli
