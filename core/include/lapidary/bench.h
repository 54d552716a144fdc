// SPDX-License-Identifier: Apache-2.0
// Measures a model in this engine, alone or side by side with ONNX Runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/compare.h>
#include <lapidary/optimize.h>
#include <lapidary/progress.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

/// A median and the interval that holds the true one with 95 % confidence.
struct MedianEstimate {
    double median = 0, low = 0, high = 0;
    std::size_t samples = 0;
};

enum class BenchEngineKind { lapidary, onnxruntime };

/// One model under one set of options; both engines get the same.
struct BenchConfiguration {
    std::filesystem::path model;
    Level level = Level::all;
    int intra_threads = 1;
    int inter_threads = 1;  // more than 1: parallel execution mode
    NamedValues inputs;
    std::optional<SessionPasses> session_passes = {};  // of this engine; nothing: what the level has
};

/// A model loaded, optimized and ready to run in one of the engines.
class BenchEngine {
public:
    /// Means per run.
    struct Times {
        double wall_ms = 0;
        double cpu_ms = 0;     // of all threads
        double waited_ms = 0;  // threads ready to run, with no core to run on
    };

    virtual ~BenchEngine() = default;
    /// Runs `lead` times unmeasured, then `runs` times measured, then waits for spinning threads to rest.
    virtual Times burst(int lead, int runs) = 0;
    /// The same; appends the time of each measured run, or their mean where the engine does not tell them apart.
    virtual Times burst_of_singles(int lead, int runs, std::vector<double>& single_ms);
    /// The outputs of one more run.
    virtual NamedValues outputs() = 0;
    /// Milliseconds from the file to the session: load, optimize, compile.
    virtual double load_ms() const = 0;
    /// Largest resident memory of the process so far, in MB (1e6 bytes); NaN where the system does not tell.
    virtual double peak_mb() const = 0;
};

/// ONNX Runtime as found on this machine: its C library, or where there is none, a Python package in a child process.
class OnnxRuntimePeer {
public:
    virtual ~OnnxRuntimePeer() = default;
    virtual const std::string& version() const = 0;
    /// The library, or the interpreter whose package it is.
    virtual const std::filesystem::path& path() const = 0;
    virtual std::unique_ptr<BenchEngine> open(const BenchConfiguration& configuration,
                                              const CancelToken& cancel) const = 0;
};

/// `place`: a library, a folder (virtual environment, site-packages, `capi`), a Python interpreter; empty: what
/// LAPIDARY_ONNXRUNTIME names, else searched for. Throws Error{not_supported} saying what was tried.
std::unique_ptr<OnnxRuntimePeer> find_onnxruntime_peer(const std::filesystem::path& place);

/// This engine.
std::unique_ptr<BenchEngine> open_own_engine(const BenchConfiguration& configuration, const Progress& progress = {});

struct BenchOptions {
    double seconds = 10;           // of measuring, per configuration; loading comes on top
    double precision = 0.02;       // stop when the interval of the ratio (alone: of the median) is within +- this share
    double rtol = same_result.rtol, atol = same_result.atol;  // of outputs: see Tolerance, by magnitude
    std::uint64_t seed = 1;        // of the order within pairs
};

struct EngineFigures {
    MedianEstimate wall_ms, cpu_ms;
    double load_ms = 0, first_ms = 0;   // of a fresh process when peak_mb is there
    std::optional<double> peak_mb;
    int processes = 0;                  // fresh ones that those are medians of
    std::size_t dropped = 0;            // samples taken while the machine was busy or slow
};

struct OutputDifference {
    bool matches = true;
    double relative = 0;       // largest finite difference, as a share of the output's largest magnitude
    std::map<std::string, double> largest;  // difference, by output
    // what ONNX Runtime itself moves by when it optimizes; looked at only when beyond tolerance
    double peer_moves = 0;
    std::string reason;        // why not
};

struct BenchFigures {
    EngineFigures ours;
    std::optional<EngineFigures> theirs;
    MedianEstimate ratio;                // theirs / ours, of pairs
    MedianEstimate cpu_ratio;            // the same of CPU time
    std::optional<OutputDifference> outputs;
    double peak_gflops = 0;              // of one core in 32-bit floats, best seen by the canary
    double handover_ns[2] = {0, 0};      // from core to core, before and after; 0 with one thread
    bool quiet = true;                   // false: too few samples of a quiet machine, all were taken
};

/// What both sides need to be measured against each other.
struct BenchPair {
    BenchEngine* ours = nullptr;
    BenchEngine* theirs = nullptr;       // null: ours alone
};

/// Alternates the two in pairs of random order behind a canary until the ratio is known or time is up.
BenchFigures measure_pair(const BenchPair& pair, int threads, const BenchOptions& options,
                          const Progress& progress = {});

/// Outputs of one engine against those of the other by the rule of same_result, with the tolerances of `options`. What
/// one of them does not hand out as a tensor is left out.
OutputDifference compare_engines(const NamedValues& ours, const NamedValues& theirs, const BenchOptions& options);

/// Load time, first run and peak memory of a process that does nothing else.
struct FreshFigures {
    double load_ms = 0, first_ms = 0, peak_mb = 0;
    int processes = 1;  // whose medians these are
};
/// In the fresh process itself; as text for the one that started it.
FreshFigures measure_fresh(BenchEngine& engine);
std::string fresh_figures_text(const FreshFigures& figures);
/// Runs commands that print fresh_figures_text(), in turn: once each unmeasured (a virtual machine gets its memory page
/// by page the first time it is used), then five times each, three when that takes long. Returns the medians, one per
/// command. Throws Error{not_supported} with the first line of its errors when one fails.
std::vector<FreshFigures> run_fresh_processes(const std::vector<std::vector<std::string>>& commands,
                                              const CancelToken& cancel);
/// Writes the inputs as ONNX tensor files and back: how they reach a fresh process without loading the model there.
/// Throws Error{not_supported} for inputs that are no tensors.
void save_bench_inputs(const NamedValues& inputs, const std::filesystem::path& folder);
NamedValues load_bench_inputs(const std::filesystem::path& folder);

struct MachineInfo {
    std::string cpu;          // "AMD EPYC 9B45"
    std::string isa;          // "avx512_vnni"
    int cores = 0;            // this process may use
    double memory_gb = 0;
    std::string system;       // "Linux 6.1.0"
    std::string date;         // "2026-11-22T03:00:00Z"
};
MachineInfo machine_info();
/// 32-bit multiply-adds that one core does right now at best, GFLOP/s (2 per multiply-add). Takes some 20 ms.
double core_peak_gflops();

double geometric_mean_of_ratios(const std::vector<double>& ratios);

}  // namespace lapidary
