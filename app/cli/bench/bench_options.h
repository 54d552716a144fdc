// SPDX-License-Identifier: Apache-2.0
// What bench was asked for, as its ways of measuring need it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/passes/optimize.h>

#include "cli/models/model_inputs.h"

namespace lapidary::cli {

struct BenchCommandOptions {
    std::vector<std::string> models;  // files, or "sample:NAME"
    std::int64_t channel_block = 0;   // LoadOptions' own
    std::string against;              // "onnxruntime", "self" or nothing
    std::vector<Level> levels{Level::all};
    std::optional<bool> session_passes;  // nothing: as the level has it
    std::vector<int> intra;              // empty: one per core
    std::vector<int> inter{1};           // more than 1: parallel execution
    std::string execution;               // "sequential", "parallel" or nothing: as `inter` says
    std::vector<std::int64_t> batches;   // empty: as the inputs come
    InputOptions inputs;
    BenchOptions measuring;
    int runs = 0;                               // exactly so many; 0: until precise
    std::filesystem::path onnxruntime;          // empty: searched for
    std::filesystem::path json_file, csv_file;  // empty: none
    bool memory = true;
    std::filesystem::path baseline;     // a saved result; empty: none
    std::optional<double> max_regress;  // per cent
    // per configuration at most, until max_regress is kept or broken
    double gate_seconds = 60;
    bool any_machine = false;      // take a baseline of another machine
    std::vector<int> concurrency;  // requests at a time; empty: no server is simulated
    std::int64_t max_batch = 8;
    double max_delay_ms = 2;
    // this is the fresh process: measure loading in that engine alone
    std::string fresh;
    std::filesystem::path fresh_inputs;
    // for tests: this share of its time is added to each run of the last configuration
    double slow_down = 0;
};

}  // namespace lapidary::cli
