// SPDX-License-Identifier: Apache-2.0
// The options of the bench command, and the kinds of measurement that it starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/peers.h>
#include <lapidary/generation/generator.h>
#include <lapidary/passes/optimize.h>

#include "cli/models/model_inputs.h"

namespace lapidary::cli {

struct Terminal;
struct BenchCommandOptions;

/// The engine that `against` names; null: none, or this one again. Throws as find_bench_peer().
std::unique_ptr<BenchPeer> peer_of(const BenchCommandOptions& options);
/// "OpenVINO" of "openvino"; the name itself where there is no such peer.
std::string peer_title(const std::string& name);

struct BenchCommandOptions {
    std::vector<std::string> models;  // files, or "sample:NAME"
    std::int64_t channel_block = 0;   // LoadOptions' own
    std::string against;              // of list_peers(), "self" or "" for no comparison
    std::vector<Level> levels{Level::all};
    std::optional<bool> session_passes;  // empty: the level decides
    std::vector<RuleText> rules;         // of the user
    std::vector<int> intra;              // empty: one per core
    std::vector<int> inter{1};           // more than 1: parallel execution
    std::string execution;               // "sequential", "parallel", or "": `inter` decides
    std::vector<std::int64_t> batches;   // empty: that of the inputs
    InputOptions inputs;
    BenchOptions measuring;
    int runs = 0;  // exact number of runs; 0: until the result is precise enough
    std::filesystem::path onnxruntime;  // empty: searched for
    std::filesystem::path peer;         // of the others: interpreter or folder; empty: so too
    std::filesystem::path json_file, csv_file;  // empty: none
    bool memory = true;
    std::filesystem::path baseline;     // a saved result; empty: none
    std::optional<double> max_regress;  // per cent
    // longest time per configuration to decide whether max_regress is kept
    double gate_seconds = 60;
    bool any_machine = false;      // accept a baseline of another machine
    std::vector<int> concurrency;  // requests at a time; empty: no server is simulated
    std::int64_t max_batch = 8;
    double max_delay_ms = 2;
    // not empty: this is the new process of bench_fresh.h, which measures loading in this engine
    std::string fresh;
    std::filesystem::path fresh_inputs;
    bool decode = false;                 // a decoder token by token, instead of runs
    std::vector<std::int64_t> contexts;  // empty: the usual ones that the model has positions for
    std::int64_t new_tokens = 32;
    CacheStorage caches = CacheStorage::automatic;
    std::vector<std::string> computes{"exact"};  // --compute: of this engine's sessions
    // not empty: this is the new process of bench_decode.cpp that runs the decoder in this engine
    std::string decode_engine;
    // for tests: this share of its time is added to each run of the last configuration
    double slow_down = 0;
};

/// `bench --vs`: measures pairs with ONNX Runtime or with this engine itself. Returns an exit code.
int run_versus(const BenchCommandOptions& options, Terminal& terminal);
/// `bench --concurrency`: latency and throughput of many callers, with and without batching.
/// Returns an exit code.
int run_concurrency(const BenchCommandOptions& options, Terminal& terminal);
/// `bench --decode`: a decoder token by token, alone or beside another engine. Returns an exit
/// code.
int run_decode(const BenchCommandOptions& options, Terminal& terminal);
/// The process that it starts for each engine: answers the lines of the standard input.
int run_decoder_process(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
