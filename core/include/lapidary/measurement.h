// SPDX-License-Identifier: Apache-2.0
// What a series of run times says: percentiles, intervals, throughput, whether the machine was steady.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/bench.h>
#include <lapidary/model.h>
#include <lapidary/optimize.h>
#include <lapidary/progress.h>
#include <lapidary/session.h>

namespace lapidary {

/// How to run a model. Batch 0: as the inputs come.
struct RunConfiguration {
    Level level = Level::all;
    int intra = 1, inter = 1;
    ExecutionMode mode = ExecutionMode::sequential;
    bool spinning = true;
    std::int64_t batch = 0;
    std::optional<SessionPasses> session_passes = {};  // nothing: what the level has, see session_passes_at()
    SessionPasses passes() const { return session_passes.value_or(SessionPasses{session_passes_at(level), {}}); }
    friend bool operator==(const RunConfiguration&, const RunConfiguration&) = default;
};

/// Only what differs from `usual` and the threads: "2 threads, batch 4, extended".
std::string name_of(const RunConfiguration& configuration, const RunConfiguration& usual = {});

/// The model, optimized at the configuration's level and compiled, ready to run on `inputs`. `slow_down`:
/// after each run it waits busily for this share of its time, to show that a slowdown is found. Throws what optimize()
/// and Session::compile() throw.
std::unique_ptr<BenchEngine> open_engine(const ModelPtr& model, const RunConfiguration& configuration,
                                         const NamedValues& inputs, const Progress& progress = {},
                                         double slow_down = 0);
/// How many engines of the model can be open together within half of the memory that is free, 2 to 64: each packs its
/// weights.
std::size_t engines_at_once(const Model& model);
/// Names of the free dimensions that stand for the batch: those called so ("batch", "N"), else those that stand first
/// in an input. Empty: there is none.
std::vector<std::string> batch_dimensions(const Model& model);
/// Generated inputs of the configuration's batch size. `dimensions`: sizes of the other free dimensions; 0: chosen.
/// Throws invalid_input when a batch is asked for and the model has no free batch dimension.
NamedValues inputs_for(const Model& model, const RunConfiguration& configuration,
                       const std::map<std::string, std::int64_t>& dimensions = {}, std::uint64_t seed = 1);

/// Milliseconds. Samples are medians of bursts of runs, some milliseconds long; minimum, maximum and percentiles
/// (nearest rank) are those of single runs.
///
/// The interval of the median holds the median of another measurement of the same with 95 % confidence (so it is wider
/// than the interval that holds the true one). It assumes nothing about how times are distributed and does not take
/// samples for independent: order statistics enclose the median at the ranks of as many independent samples as the
/// series is worth, told from how its values lie above and below the median in runs (variance of means over blocks of
/// 2, 4, 8 ... samples). `repeat_share` is added (root of the sum of squares): the same program moves by as much from
/// one start to the next, by where its memory lies and who shares the caches, which no repetition within one shows;
/// `precision` asks for what repetition can give, without it.
struct SampleSummary {
    MedianEstimate median;
    double mean = 0, minimum = 0, maximum = 0;
    double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0;
    std::size_t runs = 0; // that those are of
    double drift = 0;     // median of the last third against the first, as a share: 0.1 is 10 % slower
    bool drifts = false;  // the intervals of the two thirds are apart
    bool noisy = false;   // the interval is wider than was asked for
    std::string note;     // what a reader should know of both; empty: nothing
};
constexpr double repeat_share = 0.03;
/// `ms`: in the order taken. `single_ms`: times of single runs; empty: the same. No samples: NaN throughout.
SampleSummary summarize_samples(std::span<const double> ms, double precision = 0.02,
                                std::span<const double> single_ms = {});

/// One configuration measured, or why not.
struct Measurement {
    RunConfiguration configuration;
    SampleSummary wall;
    MedianEstimate cpu_ms;           // of all threads
    double per_second = 0;           // inferences: batch (at least 1) by the median
    double load_ms = 0, first_ms = 0;  // of this process, whose sessions share packed weights, unless peak_mb is there
    std::optional<double> peak_mb;   // of a fresh process
    /// What whoever starts with this model waits; nothing where only sessions of this process were measured.
    std::optional<double> fresh_load_ms() const { return peak_mb ? std::optional(load_ms) : std::nullopt; }
    std::vector<double> samples_ms;  // in the order taken, those of a busy or slow machine left out
    std::vector<int> rounds;         // parallel to them: when; measurements taken in turn share rounds
    std::size_t dropped = 0;         // samples left out
    bool busy = false;               // too few would have been left: none were; the interval begins at the fastest
    std::string error;               // empty: it was measured
};

/// When two of them differ: the ratio of times (second by first; per inference where the batches differ). Of pairs, the
/// median over rounds with its interval as in SampleSummary, with 1 % in place of repeat_share: two sessions of one
/// process differ by where their memory lies, no more; else the ratio of the medians, the intervals added (root of
/// squares).
struct Difference {
    MedianEstimate ratio;
    bool significant = false;  // 1 lies outside the interval
    std::string sentence;      // "2 threads is 1.82 times as fast [1.79, 1.85]", "no difference beyond noise"
};
/// `paired`: rounds of the same number were taken together (by one measure_interleaved() or sweep()); with fewer than 6
/// in common they are not pairs. `name`: of the second, for the sentence; empty: by its configuration.
Difference difference_between(const Measurement& first, const Measurement& second, bool paired,
                              std::string_view name = {});

struct MeasureOptions {
    double seconds = 10;      // per configuration, of measuring
    double precision = 0.02;  // stop when the interval of the median is within +- this share
    int warmups = 3;          // runs before, at least
    int runs = 0;             // exactly so many; 0: until precise or out of time
    std::uint64_t seed = 1;   // of the order
};

/// One of several that are measured in turn.
struct Candidate {
    RunConfiguration configuration;
    BenchEngine* engine = nullptr;
};

/// Rounds in which every candidate gives one sample, in random order, until all are precise enough or time is up. A
/// sample is the median of a burst of runs, after one unmeasured run where runs are short; all threads rest in between.
/// A known piece of work is timed before and after each: samples of a machine that was slow, or had other work for the
/// cores, are dropped. A candidate that throws is left out with its error. `on_round` gets the state after each round,
/// at most ten times a second, and at the end. Throws cancelled; partial results went to `on_round`.
std::vector<Measurement> measure_interleaved(std::span<const Candidate> candidates, const MeasureOptions& options,
                                             const Progress& progress = {},
                                             const std::function<void(const std::vector<Measurement>&)>& on_round = {});

}  // namespace lapidary
