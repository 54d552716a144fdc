// SPDX-License-Identifier: Apache-2.0
// Measures models: configurations of this engine in turn, or this engine side by side with ONNX
// Runtime. Summarizes series of run times: intervals, percentiles, throughput, steadiness of the
// machine.
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

/// A median with its 95 % confidence interval.
struct MedianEstimate {
    double median = 0, low = 0, high = 0;  // in the unit of the samples; NaN without samples
    std::size_t samples = 0;               // their number
};

/// Which engine runs a model.
enum class BenchEngineKind { lapidary, onnxruntime };

/// One model under one set of options; both engines get the same.
struct BenchConfiguration {
    std::filesystem::path model;                 // the file
    Level level = default_run_level;             // of optimizing
    RunResources resources = fixed_resources();  // no session configuration
    NamedValues inputs;                          // of each run
    /// of this engine; nothing: those of session_passes_at(level)
    std::optional<SessionPasses> session_passes = {};
    std::vector<RuleText> rules = {};  // of the user; of this engine
};

/// A model loaded, optimized and ready to run in one of the engines.
class BenchEngine {
public:
    /// Means per run.
    struct Times {
        double wall_ms = 0;    // from the call to its return
        double cpu_ms = 0;     // of all threads
        double waited_ms = 0;  // of threads that were ready but had no core
    };

    virtual ~BenchEngine() = default;
    /// Runs `lead` times unmeasured, then `runs` times measured, then waits for spinning threads to
    /// rest.
    virtual Times burst(int lead, int runs) = 0;
    /// The same; appends the time of each measured run, or their mean if the engine does not
    /// measure single runs.
    virtual Times burst_of_singles(int lead, int runs, std::vector<double>& single_ms);
    /// The outputs of one more run.
    virtual NamedValues outputs() = 0;
    /// Milliseconds from the file to the session: load, optimize, compile.
    virtual double load_ms() const = 0;
    /// Largest resident memory of the process so far, in MB (1e6 bytes). NaN if the system does not
    /// say.
    virtual double peak_mb() const = 0;
};

/// Another engine as found on this machine.
class BenchPeer {
public:
    virtual ~BenchPeer() = default;
    virtual const std::string& version() const = 0;  // "1.20.1"
    /// The library, or the interpreter whose package it is.
    virtual const std::filesystem::path& path() const = 0;
    /// Throws not_supported with the engine's own message, cancelled.
    virtual std::unique_ptr<BenchEngine> open(const BenchConfiguration& configuration,
                                              const CancelToken& cancel) const = 0;
};

/// ONNX Runtime: its C library, or where there is none, a Python package in a child process.
/// `place`: a library, a folder (virtual environment, site-packages, `capi`), a Python interpreter;
/// empty: what LAPIDARY_ONNXRUNTIME names, else the usual places are searched. Throws
/// Error{not_supported} naming the places tried.
std::unique_ptr<BenchPeer> find_onnxruntime_peer(const std::filesystem::path& place);

/// A model in this engine.
std::unique_ptr<BenchEngine> open_own_engine(const BenchConfiguration& configuration,
                                             const Progress& progress = {});

/// When to stop, and the tolerance for outputs.
struct BenchOptions {
    double seconds = 10;  // of measuring, per configuration, without loading
    /// stop when the interval of the ratio (alone: of the median) is within +- this share
    double precision = 0.02;
    /// of outputs: see Tolerance, by magnitude
    double rtol = same_result.rtol, atol = same_result.atol;
    std::uint64_t seed = 1;  // for the order within pairs
};

/// What was measured of one engine.
struct EngineFigures {
    MedianEstimate wall_ms, cpu_ms;    // per run; CPU time of all threads
    double load_ms = 0, first_ms = 0;  // of a fresh process if peak_mb is set
    std::optional<double> peak_mb;     // of a fresh process, 1e6 bytes; nothing: not measured
    int processes = 0;                 // number of fresh processes that those are medians of
    std::size_t dropped = 0;           // samples taken while the machine was busy or slow
};

/// Outputs of two engines on the same inputs.
struct OutputDifference {
    bool matches = true;  // by the tolerance
    /// largest finite difference, as a share of the output's largest magnitude
    double relative = 0;
    std::map<std::string, double> largest;  // difference, by output
    /// how much ONNX Runtime's own optimizations change its outputs; only measured if beyond
    /// tolerance
    double peer_moves = 0;
    std::string reason;  // why they do not match
};

/// What measure_pair() finds.
struct BenchFigures {
    EngineFigures ours;                       // this engine
    std::optional<EngineFigures> theirs;      // the other engine; nothing: ours was measured alone
    MedianEstimate ratio;                     // theirs / ours, of pairs
    MedianEstimate cpu_ratio;                 // the same of CPU time
    std::optional<OutputDifference> outputs;  // filled by the caller that compared them
    double peak_gflops = 0;          // of one core in 32-bit floats, best seen by the canary
    double handover_ns[2] = {0, 0};  // signal from core to core, before and after; 0: one thread
    /// false: too few samples were taken on a quiet machine, so that all count
    bool quiet = true;
};

/// The two engines to measure against each other.
struct BenchPair {
    BenchEngine* ours = nullptr;    // never null
    BenchEngine* theirs = nullptr;  // null: ours alone
};

/// Runs both in pairs of random order until the ratio is precise or time is up. Before each, a
/// known piece of work (the canary) shows whether the machine is quiet.
BenchFigures measure_pair(const BenchPair& pair, int threads, const BenchOptions& options,
                          const Progress& progress = {});

/// Compares outputs by the rule of same_result with the tolerances of `options`. `further`:
/// additional absolute tolerance by output. Outputs that are not tensors on both sides are left
/// out.
OutputDifference compare_engines(const NamedValues& ours, const NamedValues& theirs,
                                 const BenchOptions& options,
                                 const std::map<std::string, double>& further = {});

/// Load time, first run and peak memory of a process that does nothing else.
struct FreshFigures {
    double load_ms = 0, first_ms = 0, peak_mb = 0;  // 1e6 bytes
    int processes = 1;                              // that these are medians of
};
/// Measures in the fresh process itself.
FreshFigures measure_fresh(BenchEngine& engine);
/// The figures as one line of text, for the process that started it.
std::string fresh_figures_text(const FreshFigures& figures);
/// Runs commands that print fresh_figures_text(), in turn: once each unmeasured (a virtual machine
/// gets its memory page by page the first time it is used), then five times each, three when that
/// takes long. Returns the medians, one per command. Throws Error{not_supported} with the first
/// line of its errors when one fails.
std::vector<FreshFigures> run_fresh_processes(const std::vector<std::vector<std::string>>& commands,
                                              const CancelToken& cancel);
/// Writes the inputs as ONNX tensor files, which a fresh process can read without the model. Throws
/// Error{not_supported} for inputs that are no tensors.
void save_bench_inputs(const NamedValues& inputs, const std::filesystem::path& folder);
/// What save_bench_inputs() wrote. Throws io_failure, invalid_input.
NamedValues load_bench_inputs(const std::filesystem::path& folder);

/// The machine that measurements were taken on.
struct MachineInfo {
    std::string cpu;       // "AMD EPYC 9B45"
    std::string isa;       // "avx512_vnni"
    int cores = 0;         // that this process may use
    double memory_gb = 0;  // 1e9 bytes; 0: not known
    std::string system;    // "Linux 6.1.0"
    std::string date;      // "2026-11-22T03:00:00Z"
};
/// This machine, with today's date.
MachineInfo machine_info();
/// The current peak rate of one core in 32-bit multiply-adds, GFLOP/s (2 per multiply-add). Takes
/// some 20 ms.
double core_peak_gflops();

/// All ratios must be positive.
double geometric_mean_of_ratios(const std::vector<double>& ratios);

// ---- configurations measured in turn

/// How to run a model. Batch 0: as the inputs come.
struct RunConfiguration {
    Level level = default_run_level;             // that the model is optimized at
    RunResources resources = fixed_resources();  // threads, mode, session configuration
    std::int64_t batch = 0;                      // rows of an inference
    /// nothing: those of session_passes_at(level)
    std::optional<SessionPasses> session_passes = {};
    /// The passes that run.
    SessionPasses passes() const {
        return session_passes.value_or(SessionPasses{session_passes_at(level), {}});
    }
    friend bool operator==(const RunConfiguration&, const RunConfiguration&) = default;
};

/// Only what differs from `usual` and the threads: "2 threads, batch 4, extended".
std::string name_of(const RunConfiguration& configuration, const RunConfiguration& usual = {});

/// The model, optimized at the configuration's level and compiled, ready to run on `inputs`.
/// `slow_down`: busy wait after each run, as a share of its time; for tests that a slowdown is
/// found. `base`: session options that are not part of a configuration, such as providers. Throws
/// what optimize() and Session::compile() throw.
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
/// If a given input has another batch size, its rows are taken in turn, starting again from the
/// first where there are too few. `dimensions`: sizes of the other free dimensions; 0: chosen.
/// Throws invalid_input if a batch is requested and the model has no free batch dimension, or the
/// batch dimension of a given input is not known.
NamedValues inputs_for(const Model& model, const RunConfiguration& configuration,
                       const std::map<std::string, std::int64_t>& dimensions = {},
                       std::uint64_t seed = 1, const NamedValues& given = {});

/// Milliseconds. Samples are medians of bursts of runs, some milliseconds long; minimum, maximum
/// and percentiles (nearest rank) are those of single runs.
/// The interval of the median holds the median of another measurement of the same program with 95 %
/// confidence. It is therefore wider than a confidence interval of the true median. It assumes
/// nothing about the distribution of times, nor that samples are independent: it consists of the
/// order statistics for the effective number of independent samples, which is estimated from the
/// signs of the deviations from the median (variance of means over blocks of 2, 4, 8 ... samples).
/// `repeat_share` is added as the root of the sum of squares: the time of a program differs by that
/// much from one start to the next, with the place of its memory and the programs that share
/// caches, which repetition within one start cannot show. `precision` is for the interval without
/// it.
struct SampleSummary {
    MedianEstimate median;                      // with the interval described above
    double mean = 0, minimum = 0, maximum = 0;  // of single runs
    /// of single runs; p999 is the 99.9th percentile
    double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0;
    std::size_t runs = 0;  // number of those
    /// median of the last third against the first, as a share: 0.1 is 10 % slower
    double drift = 0;
    bool drifts = false;  // the intervals of the two thirds do not overlap
    bool noisy = false;   // the interval is wider than requested
    std::string note;     // a note about both for the reader; may be empty
};
/// How much the time of a program differs between two starts of it, as a share of the median.
constexpr double repeat_share = 0.03;
/// `ms`: in the order measured. `single_ms`: times of single runs; empty: `ms`. Without samples all
/// figures are NaN.
SampleSummary summarize_samples(std::span<const double> ms, double precision = 0.02,
                                std::span<const double> single_ms = {});

/// The time of a profiled run: that of the typical run, which tables and sentences of the profile
/// show, with the interval of the median of all runs. Without runs: NaN and no samples.
MedianEstimate estimate_run_time(const Profile& profile);

/// The measurement of one configuration, or an error.
struct Measurement {
    RunConfiguration configuration;  // that was measured
    SampleSummary wall;              // ms of a run
    MedianEstimate cpu_ms;           // of all threads
    double per_second = 0;           // inferences: batch (at least 1) divided by the median
    /// in this process, whose sessions share packed weights; in a fresh process if peak_mb is set
    double load_ms = 0, first_ms = 0;
    std::optional<double> peak_mb;  // of a fresh process
    /// How long a user of this model waits until it is loaded; empty if only sessions of this
    /// process were measured.
    std::optional<double> fresh_load_ms() const {
        return peak_mb ? std::optional(load_ms) : std::nullopt;
    }
    std::vector<double>
        samples_ms;  // in the order measured, without those of a busy or slow machine
    /// parallel to samples_ms: the round of each; measurements in turn share rounds
    std::vector<int> rounds;
    std::size_t dropped = 0;  // samples left out
    /// The machine was busy for most samples, so that none was left out. The interval then begins
    /// at the fastest sample.
    bool busy = false;
    std::string error;  // empty: it was measured
};

/// The difference of two measurements, as the ratio of times: second to first, per inference if the
/// batches differ. For pairs it is the median over rounds, with an interval as in SampleSummary but
/// 1 % in place of repeat_share, since two sessions of one process only differ by the place of
/// their memory. Else it is the ratio of the medians, with both intervals combined (root of the sum
/// of squares).
struct Difference {
    MedianEstimate ratio;      // with its interval
    bool significant = false;  // 1 lies outside the interval
    /// "2 threads is 1.82 times as fast [1.79, 1.85]", "no difference beyond noise"
    std::string sentence;
};
/// `paired`: rounds of the same number were taken together (by one measure_interleaved() or
/// sweep()); with fewer than 6 in common they are not pairs. `name`: of the second, for the
/// sentence; empty: name_of() its configuration.
Difference difference_between(const Measurement& first, const Measurement& second, bool paired,
                              std::string_view name = {});

/// When measuring stops.
struct MeasureOptions {
    double seconds = 10;      // per configuration, of measuring
    double precision = 0.02;  // stop when the interval of the median is within +- this share
    int warmups = 3;          // unmeasured runs before, at least
    int runs = 0;             // exactly so many; 0: until precise or out of time
    std::uint64_t seed = 1;   // for the order
    /// Called with the measurements so far when the precision or time is reached. If it returns
    /// false, measuring goes on for twice as long, up to `budget_seconds` per configuration. Empty:
    /// measuring stops. Not called if `runs` is set.
    std::function<bool(const std::vector<Measurement>&)> is_enough = {};
    double budget_seconds = 0;
};

/// One of several configurations that are measured in turn.
struct Candidate {
    RunConfiguration configuration;  // shown in its Measurement
    BenchEngine* engine = nullptr;   // runs it; never null
};

/// Rounds in which every candidate gives one sample, in random order, until all are precise enough
/// or time is up. A sample is the median of a burst of runs, after one unmeasured run where runs
/// are short; all threads rest in between. A known piece of work is timed before and after each
/// sample, which is dropped if the machine was slow or other programs used its cores. A candidate
/// that throws is left out from then on; its measurement has the error. `on_round` gets the results
/// after each round, at most ten times a second, and at the end. Throws cancelled; `on_round` has
/// got the partial results.
std::vector<Measurement> measure_interleaved(
    std::span<const Candidate> candidates, const MeasureOptions& options,
    const Progress& progress = {},
    const std::function<void(const std::vector<Measurement>&)>& on_round = {});

}  // namespace lapidary
