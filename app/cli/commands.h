// SPDX-License-Identifier: Apache-2.0
// The commands of lapidary-cli with their options as parsed. Each returns an exit code and throws Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench.h>
#include <lapidary/export_model.h>
#include <lapidary/memory_report.h>
#include <lapidary/model_io.h>
#include <lapidary/progress.h>
#include <lapidary/snippet.h>
#include <lapidary/sweep.h>

#include <ostream>

#include "cli/model_at_level.h"
#include "cli/model_inputs.h"
#include "cli/progress_line.h"
#include "cli/side_by_side.h"

namespace lapidary::cli {

/// Where a command writes and what stops it.
struct Terminal {
    std::ostream& out;
    std::ostream& err;
    CancelToken cancel;
    bool json = false, quiet = false;  // quiet: errors alone go to `err`
    std::string stage = {};            // what the command is at, for errors
    ProgressLine* progress_line = nullptr;  // where a terminal shows one

    Progress progress() {
        return {cancel, [this](std::string_view name, double fraction) {
                    if (stage != name) stage = name;
                    if (progress_line) progress_line->update(name, fraction);
                }};
    }
    /// A line beside the results, for people.
    void note(const std::string& text) {
        if (!text.empty() && !json && !quiet) err << "lapidary-cli: " << text << '\n';
    }
};

struct InfoOptions {
    std::filesystem::path model;
    std::int64_t channel_block = 0;       // LoadOptions' own
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

enum class TraceFormat : std::uint8_t { chrome, onnxruntime };

struct ProfileOptions {
    RunCommandOptions run;        // `model` may be a trace to show instead
    std::filesystem::path trace;  // to write; empty: none
    TraceFormat format = TraceFormat::chrome;
    int runs = 5;
    int warmup = 1;
    bool roofline = false;  // compare with the machine's peak
};

struct MemoryCommandOptions {
    std::filesystem::path model;
    LevelOptions level;
    MemoryAssumptions assumptions;
    std::size_t step = 0, top = 20;
    bool has_step = false;                // else the peak
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
    std::int64_t channel_block = 0;       // LoadOptions' own
};

struct BisectCommandOptions {
    std::filesystem::path model, output;  // folder for the cut-out place; empty: none
    OptimizeOptions optimizing;
    InputOptions inputs;
    double rtol = 1e-3, atol = 1e-5;
    int intra_threads = 0;
    bool exhaustive = false;
    std::int64_t channel_block = 0;       // LoadOptions' own
};

struct BenchCommandOptions {
    std::vector<std::string> models;      // files, or "sample:NAME"
    std::int64_t channel_block = 0;       // LoadOptions' own
    std::string against;                  // "onnxruntime", "self" or nothing
    std::vector<Level> levels{Level::all};
    std::vector<int> intra{1};
    std::vector<int> inter{1};            // more than 1: parallel execution
    std::string execution;                // "sequential", "parallel" or nothing: as `inter` says
    std::vector<std::int64_t> batches;    // empty: as the inputs come
    InputOptions inputs;
    BenchOptions measuring;
    int runs = 0;                         // exactly so many; 0: until precise
    std::filesystem::path onnxruntime;    // empty: searched for
    std::filesystem::path json_file, csv_file;  // empty: none
    bool memory = true;
    std::filesystem::path baseline;       // a saved result; empty: none
    std::optional<double> max_regress;    // per cent
    bool any_machine = false;             // take a baseline of another machine
    std::vector<int> concurrency;         // requests at a time; empty: no server is simulated
    std::int64_t max_batch = 8;
    double max_delay_ms = 2;
    std::string fresh;                    // this is the fresh process: measure loading in that engine alone
    std::filesystem::path fresh_inputs;
    double slow_down = 0;                 // for tests: this share of its time is added to each run of the last configuration
};

struct SweepCommandOptions {
    std::string model;                    // a file, or "sample:NAME"
    std::int64_t channel_block = 0;       // LoadOptions' own
    SweepSpace space;
    SweepOptions sweeping;
    std::size_t verify = 0;               // so many of the best once more; 0: none
};

struct ReportCommandOptions {
    std::string model;                    // a file, or "sample:NAME"
    std::int64_t channel_block = 0;       // LoadOptions' own
    std::filesystem::path output, tables, notes;  // empty: none
    std::string title;
    Level level = Level::all;
    std::optional<Level> against;
    std::vector<std::string> disabled_passes;
    InputOptions inputs;
    SideOptions running;
};

struct CompareCommandOptions {
    std::vector<std::string> models;      // one or two
    std::int64_t channel_block = 0;       // LoadOptions' own, of both
    std::vector<Level> levels;            // none, one for both, or one each
    InputOptions inputs;
    SideOptions running;
    std::optional<double> max_regress;    // percent
    std::filesystem::path output;         // HTML; empty: none
};

struct SnippetCommandOptions {
    std::string model, language;
    std::int64_t channel_block = 0;       // LoadOptions' own
    SnippetSettings settings;
    std::filesystem::path output;         // empty: standard output
};

struct ServeCommandOptions {
    std::uint64_t memory_limit = 0;  // bytes; 0: none
    std::string fresh;               // one candidate to measure the memory of, instead
};

int run_info(const InfoOptions& options, Terminal& terminal);
int run_run(const RunCommandOptions& options, Terminal& terminal);
int run_check(const CheckOptions& options, Terminal& terminal);
int run_profile(const ProfileOptions& options, Terminal& terminal);
int run_memory(const MemoryCommandOptions& options, Terminal& terminal);
int run_optimize(const OptimizeCommandOptions& options, Terminal& terminal);
int run_passes(Terminal& terminal);
int run_bisect(const BisectCommandOptions& options, Terminal& terminal);
int run_sample(const SampleOptions& options, Terminal& terminal);
int run_serve(const ServeCommandOptions& options, Terminal& terminal);
int run_bench(const BenchCommandOptions& options, Terminal& terminal);
int run_report(const ReportCommandOptions& options, Terminal& terminal);
int run_compare(const CompareCommandOptions& options, Terminal& terminal);
int run_snippet(const SnippetCommandOptions& options, Terminal& terminal);
int run_sweep(const SweepCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
