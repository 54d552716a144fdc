// SPDX-License-Identifier: Apache-2.0
// The commands of lapidary-cli with their options as parsed. Each returns an exit code and throws Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include <lapidary/bench.h>
#include <lapidary/export_model.h>
#include <lapidary/model_io.h>
#include <lapidary/progress.h>

#include "cli/model_at_level.h"
#include "cli/model_inputs.h"

namespace lapidary::cli {

/// Where a command writes and what stops it.
struct Terminal {
    std::ostream& out;
    std::ostream& err;
    CancelToken cancel;
    bool json = false;
};

struct InfoOptions {
    std::filesystem::path model;
};

struct RunCommandOptions {
    std::filesystem::path model;
    InputOptions inputs;
    std::filesystem::path outputs;  // .npz to write; empty: none
    int intra_threads = 0;
    std::map<std::string, std::string> config;  // SessionOptions::config_entries
    LevelOptions level;
};

struct CheckOptions {
    std::filesystem::path model;
    std::filesystem::path inputs, expected;  // two .npz archives, or
    std::filesystem::path case_folder;       // a test_data_set_N folder
    double rtol = 1e-3, atol = 1e-5;
    int intra_threads = 0;
    LevelOptions level;
};

struct ProfileOptions {
    RunCommandOptions run;
    std::filesystem::path trace;
    int runs = 5;
    int warmup = 1;
};

struct SampleOptions {
    std::string name;
    std::filesystem::path output;
    std::uint64_t seed = 1;
    bool list = false;
};

struct OptimizeCommandOptions {
    std::filesystem::path model, output;  // output empty: nothing is written
    ExportOptions exporting;
    SaveOptions saving;
    bool explain = false, guard = false;
    std::filesystem::path report;         // JSON to write; empty: none
    double rtol = 1e-3, atol = 1e-5;
    int seeds = 2;                        // of the guard
    int intra_threads = 0;
};

struct BisectCommandOptions {
    std::filesystem::path model, output;  // folder for the cut-out place; empty: none
    OptimizeOptions optimizing;
    InputOptions inputs;
    double rtol = 1e-3, atol = 1e-5;
    int intra_threads = 0;
    bool exhaustive = false;
};

struct BenchCommandOptions {
    std::vector<std::string> models;      // files, or "sample:NAME"
    std::string against;                  // "onnxruntime", "self" or nothing
    Level level = Level::all;
    std::vector<int> intra{1};
    int inter = 1;
    std::vector<std::int64_t> batches;    // empty: as the inputs come
    InputOptions inputs;
    BenchOptions measuring;
    std::filesystem::path onnxruntime;    // empty: searched for
    std::filesystem::path json_file;      // empty: none
    bool memory = true;
    std::string fresh;                    // this is the fresh process: measure loading in that engine alone
    std::filesystem::path fresh_inputs;
};

int run_info(const InfoOptions& options, Terminal& terminal);
int run_run(const RunCommandOptions& options, Terminal& terminal);
int run_check(const CheckOptions& options, Terminal& terminal);
int run_profile(const ProfileOptions& options, Terminal& terminal);
int run_optimize(const OptimizeCommandOptions& options, Terminal& terminal);
int run_passes(Terminal& terminal);
int run_bisect(const BisectCommandOptions& options, Terminal& terminal);
int run_sample(const SampleOptions& options, Terminal& terminal);
int run_bench(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
