// SPDX-License-Identifier: Apache-2.0
// Puts the results of all shards of a farm together.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <lapidary/proof/accuracy.h>

#include "worker/farm/farm_result.h"

#include "cli/farm/farm_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// What the shards found of one model.
struct FarmModel {
    std::string name;
    std::set<std::size_t> machines;        // indices of those that worked on it
    AccuracyCounts counts;                 // FarmSplit::samples: the sum
    std::vector<std::string> trials = {};  // FarmSplit::candidates: those of each shard
    std::string output = {};               // the same: JSON of the choice among them
    int exit_code = 0;                     // of that choice
    // FarmSplit::samples: number of samples of each shard, also of those left out
    std::map<std::uint64_t, std::uint64_t> samples = {};
};
/// A task that one shard ran by itself.
struct FarmRow {
    std::uint64_t task = 0, shard = 0;
    std::size_t machine = 0;  // index
    int exit_code = 0;
    double seconds = 0;
    std::string output;  // JSON that its command printed
};
/// A shard without a result, or a task without one.
struct FarmGap {
    std::uint64_t shard = 0;
    std::string model;  // empty: the whole shard
    std::string reason;
    bool again = false;  // its shard counts as done, and is run with --again alone
};
/// All of a farm.
struct FarmMerge {
    app::FarmPlan plan;
    std::string hash;                        // of the plan
    std::vector<app::FarmMachine> machines;  // that worked
    std::vector<FarmRow> rows;               // FarmSplit::models, by task
    std::vector<FarmModel> models;           // the other splits
    std::vector<FarmGap> lost, failed;
    std::vector<std::string> notes;  // of files that were passed over
    bool is_complete() const { return lost.empty() && failed.empty(); }
    /// Whether figures are to be shown: all is there, or a part is wanted.
    bool has_figures = false;
};

/// Reads the results one file at a time; of two results of one shard the first by name counts.
/// Candidates of a search are compared by `quantize` itself, which writes its file. Throws what
/// reading the plan throws.
FarmMerge merge_farm(const FarmOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
