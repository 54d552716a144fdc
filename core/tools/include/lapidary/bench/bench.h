// SPDX-License-Identifier: Apache-2.0
// Measures models: one or several configurations of this engine in turn, or this engine side by
// side with ONNX Runtime; what a series of run times says of it (intervals, percentiles,
// throughput, whether the machine was steady).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// A median and the interval that holds the true one with 95 % confidence.
struct MedianEstimate {
    double median = 0, low = 0, high = 0;  // in the unit of what was measured; NaN without samples
    std::size_t samples = 0;               // that they rest on
};

/// Which engine runs a model.
enum class BenchEngineKind { lapidary, onnxruntime };

/// One model under one set of options; both engines get the same.
struct BenchConfiguration {
    std::filesystem::path model;      // the file
    Level level = default_run_level;  // of optimizing
    int intra_threads = 1;            // within a node
    int inter_threads = 1;            // more than 1: parallel execution mode
    NamedValues inputs;               // of each run
    /// of this engine; nothing: what the level has
    std::optional<SessionPasses> session_passes = {};
};

/// A model loaded, optimized and ready to run in one of the engines.
class BenchEngine {
public:
    /// Means per run.
    struct Times {
        double wall_ms = 0;    // from the call to its return
        double cpu_ms = 0;     // of all threads
        double waited_ms = 0;  // threads ready to run, with no core to run on
    };

    virtual ~BenchEngine() = default;
    /// Runs `lead` times unmeasured, then `runs` times measured, then waits for spinning threads to
    /// rest.
    virtual Times burst(int lead, int runs) = 0;
    /// The same; appends the time of each measured run, or their mean where the engine does not
    /// distinguish them.
    virtual Times burst_of_singles(int lead, int runs, std::vector<double>& single_ms);
    /// The outputs of one more run.
    virtual NamedValues outputs() = 0;
    /// Milliseconds from the file to the session: load, optimize, compile.
    virtual double load_ms() const = 0;
    /// Largest resident memory of the process so far, in MB (1e6 bytes). NaN if the system does not
    /// say.
    virtual double peak_mb() const = 0;
};

/// ONNX Runtime as found on this machine: its C library, or where there is none, a Python package
/// in a child process.
class OnnxRuntimePeer {
public:
    virtual ~OnnxRuntimePeer() = default;
    virtual const std::string& version() const = 0;  // "1.20.1"
    /// The library, or the interpreter whose package it is.
    virtual const std::filesystem::path& path() const = 0;
    /// Throws not_supported with ONNX Runtime's own message, cancelled.
    virtual std::unique_ptr<BenchEngine> open(const BenchConfiguration& configuration,
                                              const CancelToken& cancel) const = 0;
};

/// `place`: a library, a folder (virtual environment, site-packages, `capi`), a Python interpreter;
/// empty: what LAPIDARY_ONNXRUNTIME names, else searched for. Throws Error{not_supported} saying
/// what was tried.
std::unique_ptr<OnnxRuntimePeer> find_onnxruntime_peer(const std::filesystem::path& place);

/// This engine.
std::unique_ptr<BenchEngine> open_own_engine(const BenchConfiguration& configuration,
                                             const Progress& progress = {});

/// When to stop and what to compare by.
struct BenchOptions {
    double seconds = 10;  // of measuring, per configuration; loading comes on top
    /// stop when the interval of the ratio (alone: of the median) is within +- this share
    double precision = 0.02;
    /// of outputs: see Tolerance, by magnitude
    double rtol = same_result.rtol, atol = same_result.atol;
    std::uint64_t seed = 1;  // of the order within pairs
};

/// What was measured of one engine.
struct EngineFigures {
    MedianEstimate wall_ms, cpu_ms;    // per run; CPU time of all threads
    double load_ms = 0, first_ms = 0;  // of a fresh process when peak_mb is there
    std::optional<double> peak_mb;     // of a fresh process, 1e6 bytes; nothing: not measured
    int processes = 0;                 // fresh ones that those are medians of
    std::size_t dropped = 0;           // samples taken while the machine was busy or slow
};

/// Outputs of two engines on the same inputs.
struct OutputDifference {
    bool matches = true;  // by the tolerance
    /// largest finite difference, as a share of the output's largest magnitude
    double relative = 0;
    std::map<std::string, double> largest;  // difference, by output
    /// what ONNX Runtime itself moves by when it optimizes; looked at only when beyond tolerance
    double peer_moves = 0;
    std::string reason;  // why not
};

/// What measure_pair() finds.
struct BenchFigures {
    EngineFigures ours;                       // this engine
    std::optional<EngineFigures> theirs;      // ONNX Runtime; nothing: ours was measured alone
    MedianEstimate ratio;                     // theirs / ours, of pairs
    MedianEstimate cpu_ratio;                 // the same of CPU time
    std::optional<OutputDifference> outputs;  // filled by the caller that compared them
    double peak_gflops = 0;          // of one core in 32-bit floats, best seen by the canary
    double handover_ns[2] = {0, 0};  // from core to core, before and after; 0 with one thread
    /// false: too few samples of a quiet machine, all were taken
    bool quiet = true;
};

/// What both sides need to be measured against each other.
struct BenchPair {
    BenchEngine* ours = nullptr;    // never null
    BenchEngine* theirs = nullptr;  // null: ours alone
};

/// Alternates the two in pairs of random order behind a canary until the ratio is known or time is
/// up.
BenchFigures measure_pair(const BenchPair& pair, int threads, const BenchOptions& options,
                          const Progress& progress = {});

/// Outputs of one engine against those of the other by the rule of same_result, with the tolerances
/// of `options` and, by output, what may come on top. What one of them does not hand out as a
/// tensor is left out.
OutputDifference compare_engines(const NamedValues& ours, const NamedValues& theirs,
                                 const BenchOptions& options,
                                 const std::map<std::string, double>& further = {});

/// Load time, first run and peak memory of a process that does nothing else.
struct FreshFigures {
    double load_ms = 0, first_ms = 0, peak_mb = 0;  // 1e6 bytes
    int processes = 1;                              // whose medians these are
};
/// In the fresh process itself; as text for the one that started it.
FreshFigures measure_fresh(BenchEngine& engine);
/// One line.
std::string fresh_figures_text(const FreshFigures& figures);
/// Runs commands that print fresh_figures_text(), in turn: once each unmeasured (a virtual machine
/// gets its memory page by page the first time it is used), then five times each, three when that
/// takes long. Returns the medians, one per command. Throws Error{not_supported} with the first
/// line of its errors when one fails.
std::vector<FreshFigures> run_fresh_processes(const std::vector<std::vector<std::string>>& commands,
                                              const CancelToken& cancel);
/// Writes the inputs as ONNX tensor files and back: how they reach a fresh process without loading
/// the model there. Throws Error{not_supported} for inputs that are no tensors.
void save_bench_inputs(const NamedValues& inputs, const std::filesystem::path& folder);
/// What save_bench_inputs() wrote. Throws io_failure, invalid_input.
NamedValues load_bench_inputs(const std::filesystem::path& folder);

/// What measurements were taken on.
struct MachineInfo {
    std::string cpu;       // "AMD EPYC 9B45"
    std::string isa;       // "avx512_vnni"
    int cores = 0;         // this process may use
    double memory_gb = 0;  // 1e9 bytes; 0: not known
    std::string system;    // "Linux 6.1.0"
    std::string date;      // "2026-11-22T03:00:00Z"
};
/// Of this machine, now.
MachineInfo machine_info();
/// 32-bit multiply-adds that one core does right now at best, GFLOP/s (2 per multiply-add). Takes
/// some 20 ms.
double core_peak_gflops();

/// Of positive ratios.
double geometric_mean_of_ratios(const std::vector<double>& ratios);

// ---- configurations measured in turn

/// How to run a model. Batch 0: as the inputs come.
struct RunConfiguration {
    Level level = default_run_level;                 // that the model is optimized at
    int intra = 1, inter = 1;                        // threads within a node and nodes at a time
    ExecutionMode mode = ExecutionMode::sequential;  // ORT execution_mode
    bool spinning = true;                            // workers stay awake within a run
    std::int64_t batch = 0;                          // rows of an inference
    /// nothing: what the level has, see session_passes_at()
    std::optional<SessionPasses> session_passes = {};
    /// Those that run.
    SessionPasses passes() const {
        return session_passes.value_or(SessionPasses{session_passes_at(level), {}});
    }
    friend bool operator==(const RunConfiguration&, const RunConfiguration&) = default;
};

/// Only what differs from `usual` and the threads: "2 threads, batch 4, extended".
std::string name_of(const RunConfiguration& configuration, const RunConfiguration& usual = {});

/// The model, optimized at the configuration's level and compiled, ready to run on `inputs`.
/// `slow_down`: after each run it waits busily for this share of its time, to show that a slowdown
/// is found. `base`: options of the session that a configuration does not have, such as providers.
/// Throws what optimize() and Session::compile() throw.
std::unique_ptr<BenchEngine> open_engine(const ModelPtr& model,
                                         const RunConfiguration& configuration,
                                         const NamedValues& inputs, const Progress& progress = {},
                                         double slow_down = 0, const SessionOptions& base = {});
/// How many engines of the model can be open together within half of the memory that is free, 2 to
/// 64: each packs its weights.
std::size_t engines_at_once(const Model& model);
/// Names of the free dimensions that stand for the batch: those called so ("batch", "N"), else
/// those that stand first in an input. Empty: there is none.
std::vector<std::string> batch_dimensions(const Model& model);
/// Inputs of the configuration's batch size: those of `given` and generated ones for the rest.
/// Where the batch is another one than that of a given input, its rows are taken in turn, again
/// from the first where there are too few. `dimensions`: sizes of the other free dimensions; 0:
/// chosen. Throws invalid_input when a batch is asked for and the model has no free batch
/// dimension, or a given input's rows cannot be distinguished.
NamedValues inputs_for(const Model& model, const RunConfiguration& configuration,
                       const std::map<std::string, std::int64_t>& dimensions = {},
                       std::uint64_t seed = 1, const NamedValues& given = {});

/// Milliseconds. Samples are medians of bursts of runs, some milliseconds long; minimum, maximum
/// and percentiles (nearest rank) are those of single runs.
///
/// The interval of the median holds the median of another measurement of the same program with 95 %
/// confidence; it is therefore wider than the interval that holds the true median. It assumes
/// nothing about how times are distributed, and not that samples are independent. Order statistics
/// enclose the median at the ranks of as many independent samples as the series is worth. That
/// number follows from how its values lie above and below the median in runs (variance of means
/// over blocks of 2, 4, 8 ... samples). `repeat_share` is added (root of the sum of squares): from
/// one start to the next the same program moves by that much, by where its memory lies and which
/// programs share the caches. Repetition within one start cannot show that; `precision` asks for
/// what repetition can give, without it.
struct SampleSummary {
    MedianEstimate median;                      // with the interval described above
    double mean = 0, minimum = 0, maximum = 0;  // of single runs
    /// of single runs; p999 is the 99.9th percentile
    double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0;
    std::size_t runs = 0;  // that those are of
    /// median of the last third against the first, as a share: 0.1 is 10 % slower
    double drift = 0;
    bool drifts = false;  // the intervals of the two thirds are apart
    bool noisy = false;   // the interval is wider than was asked for
    std::string note;     // what a reader should know of both; empty: nothing
};
/// By which one start of a program differs from the next, as a share of the median.
constexpr double repeat_share = 0.03;
/// `ms`: in the order taken. `single_ms`: times of single runs; empty: the same. No samples: NaN
/// throughout.
SampleSummary summarize_samples(std::span<const double> ms, double precision = 0.02,
                                std::span<const double> single_ms = {});

/// The time of a profiled run: that of the typical run, which tables and sentences of the profile
/// are of, with the interval of the median of all. Without runs: NaN and no samples.
MedianEstimate estimate_run_time(const Profile& profile);

/// One configuration measured, or why not.
struct Measurement {
    RunConfiguration configuration;  // that was measured
    SampleSummary wall;              // ms of a run
    MedianEstimate cpu_ms;           // of all threads
    double per_second = 0;           // inferences: batch (at least 1) by the median
    /// of this process, whose sessions share packed weights, unless peak_mb is there
    double load_ms = 0, first_ms = 0;
    std::optional<double> peak_mb;  // of a fresh process
    /// How long a user of this model waits until it is loaded; empty if only sessions of this
    /// process were measured.
    std::optional<double> fresh_load_ms() const {
        return peak_mb ? std::optional(load_ms) : std::nullopt;
    }
    std::vector<double> samples_ms;  // in the order taken, those of a busy or slow machine left out
    /// parallel to them: when; measurements taken in turn share rounds
    std::vector<int> rounds;
    std::size_t dropped = 0;  // samples left out
    /// too few would have been left: none were; the interval begins at the fastest
    bool busy = false;
    std::string error;  // empty: it was measured
};

/// When two of them differ: the ratio of times (second by first; per inference where the batches
/// differ). Of pairs, the median over rounds with its interval as in SampleSummary, with 1 % in
/// place of repeat_share: two sessions of one process differ by where their memory lies, no more;
/// else the ratio of the medians, the intervals added (root of squares).
struct Difference {
    MedianEstimate ratio;      // with its interval
    bool significant = false;  // 1 lies outside the interval
    /// "2 threads is 1.82 times as fast [1.79, 1.85]", "no difference beyond noise"
    std::string sentence;
};
/// `paired`: rounds of the same number were taken together (by one measure_interleaved() or
/// sweep()); with fewer than 6 in common they are not pairs. `name`: of the second, for the
/// sentence; empty: by its configuration.
Difference difference_between(const Measurement& first, const Measurement& second, bool paired,
                              std::string_view name = {});

/// When measuring stops.
struct MeasureOptions {
    double seconds = 10;      // per configuration, of measuring
    double precision = 0.02;  // stop when the interval of the median is within +- this share
    int warmups = 3;          // runs before, at least
    int runs = 0;             // exactly so many; 0: until precise or out of time
    std::uint64_t seed = 1;   // of the order
    /// Asked with what is known whenever measuring would stop for precision or time; false: it goes
    /// on for twice as long, up to `budget_seconds` per configuration. Empty: it stops. Not asked
    /// where `runs` says when.
    std::function<bool(const std::vector<Measurement>&)> is_enough = {};
    double budget_seconds = 0;
};

/// One of several that are measured in turn.
struct Candidate {
    RunConfiguration configuration;  // shown in its Measurement
    BenchEngine* engine = nullptr;   // that runs it; never null
};

/// Rounds in which every candidate gives one sample, in random order, until all are precise enough
/// or time is up. A sample is the median of a burst of runs, after one unmeasured run where runs
/// are short; all threads rest in between. A known piece of work is timed before and after each:
/// samples of a machine that was slow, or had other work for the cores, are dropped. A candidate
/// that throws is left out with its error. `on_round` gets the state after each round, at most ten
/// times a second, and at the end. Throws cancelled; partial results went to `on_round`.
std::vector<Measurement> measure_interleaved(
    std::span<const Candidate> candidates, const MeasureOptions& options,
    const Progress& progress = {},
    const std::function<void(const std::vector<Measurement>&)>& on_round = {});

}  // namespace lapidary
