// SPDX-License-Identifier: Apache-2.0
// Measures a model over thread counts, batch sizes and execution modes, and recommends a setting.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// The settings to measure. Every combination is a cell.
struct SweepSpace {
    std::vector<Level> levels{default_run_level};  // of optimizing
    std::vector<int> intra{1};                     // threads within a node
    std::vector<int> inter{1};             // more than 1 only together with the parallel mode
    std::vector<std::int64_t> batches{0};  // 0: as the inputs come
    std::vector<ExecutionMode> modes{ExecutionMode::sequential};  // ORT execution_mode
    std::vector<bool> spinning{true};  // ORT session.intra_op.allow_spinning
};
/// All combinations, without equivalent ones: inter threads in sequential mode, parallel mode with
/// one operator at a time (if there is another choice), spinning on and off without worker threads.
std::vector<RunConfiguration> configurations(const SweepSpace& space);
/// Powers of two up to the cores of this process, and the cores themselves.
std::vector<int> thread_choices();

/// The goal: the shortest run, or the most inferences per second.
enum class SweepGoal : std::uint8_t { latency, throughput };

/// How much is measured, and what is recommended.
struct SweepOptions {
    MeasureOptions measuring{1.0, 0.02, 2, 0, 1};  // of each cell
    double budget_seconds = 0;                     // for everything; 0: none
    SweepGoal goal = SweepGoal::latency;           // of the recommendation
    double latency_cap_ms = 0;                     // cells above it are not recommended; 0: none
    /// sizes of free dimensions other than the batch
    std::map<std::string, std::int64_t> dimensions;
    std::uint64_t seed = 1;  // of the inputs
    /// profile the cells that differ only in intra threads, to show how operators scale; only in
    /// this engine
    bool operators = true;
    /// How often settings that cannot be distinguished from the recommended one are measured again,
    /// in turn with it, each time twice as long. The sentence says what stays undecided.
    int settle_rounds = 2;
    /// options of optimization except the level, which is that of each cell. Not part of the JSON
    /// text
    OptimizeOptions optimizing;
    std::optional<bool> session_passes;  // see session_passes_for(). Not part of the JSON text
    /// options that are the same for all cells, such as providers. Not part of the JSON text
    SessionOptions session;
    /// inputs of the user, see inputs_for(). Not part of the JSON text
    NamedValues given;
    /// opens a cell in another engine, which optimizes the model itself; empty: this engine. Not
    /// part of the JSON text
    std::function<std::unique_ptr<BenchEngine>(const RunConfiguration& configuration,
                                               const NamedValues& inputs, const Progress& progress)>
        open;
};

/// The progress of a cell.
enum class CellState : std::uint8_t { waiting, running, done, failed, skipped };

/// One combination.
struct SweepCell {
    RunConfiguration configuration;        // that it measures
    CellState state = CellState::waiting;  // its progress
    double estimate_seconds = 0;           // expected duration of its measurement
    Measurement measurement;               // when done; partial while running
    std::string reason;                    // why it failed or was skipped
};

/// How an operator's time falls with intra threads.
struct OperatorScaling {
    std::string op;  // "Conv"
    /// threads (ascending), median over runs of the sum of all its nodes
    std::vector<std::pair<int, double>> ms;
    double efficiency = 0;  // speed-up at the largest number of threads, divided by that number
    /// number of threads beyond which it gains less than 5 %; 0: it gains up to the largest number
    int stops_at = 0;
};

/// The recommended cell.
struct SweepRecommendation {
    std::ptrdiff_t cell = -1;         // -1: none
    std::vector<std::size_t> equals;  // cells as fast, known to within 5 %
    /// cells that may be faster or slower: their intervals are too wide to decide
    std::vector<std::size_t> undecided;
    /// "2 threads, batch 1: 8.1 ms [8.0, 8.2]; 1.84 times as fast as 1 thread [1.80, 1.88]; batch 2
    /// takes 1.95 times as long [1.91, 1.99]; spinning makes no difference beyond noise (±1.2 %).
    /// Most inferences per second: ..."
    std::string sentence;
};

/// All that a sweep found.
struct SweepResult {
    std::vector<SweepCell> cells;          // in the order of configurations()
    std::vector<OperatorScaling> scaling;  // dearest first
    SweepRecommendation recommendation;    // from the cells measured so far
    MachineInfo machine;                   // that it was measured on
    bool complete = false;                 // false: cancelled, paused or out of budget
};

/// The cells with estimated durations, before anything runs. `run_ms`: time of a run on one thread
/// with the inputs as they are; `load_ms`: of loading. 0: not known; then each cell is expected to
/// use all the time that it may take.
std::vector<SweepCell> planned_cells(const SweepSpace& space, const SweepOptions& options,
                                     double run_ms = 0, double load_ms = 0);

/// The recommendation from the cells that are done. The fastest for the goal within the cap
/// (throughput: most inferences per second), or among those that are as fast (the interval of the
/// ratio of their times lies within 5 % of 1) the one that takes the least: threads, parallel
/// execution, spinning, batch. None if the median of the fastest is known less exactly than to 50
/// %; the sentence says so. If batches differ, the sentence also names the best for the other
/// goal.
SweepRecommendation recommend(const std::vector<SweepCell>& cells, SweepGoal goal,
                              double latency_cap_ms = 0);
/// Cells to measure again in turn: the recommended one and those that cannot be distinguished from
/// it, the fastest first, 6 at most. Empty: the recommendation is decided.
std::vector<std::size_t> cells_to_settle(const std::vector<SweepCell>& cells,
                                         const SweepRecommendation& found, SweepGoal goal);
/// Options for measuring such cells for the `round`-th time (from 1): each time twice as long as
/// the time before, and with half the requested width of the interval.
MeasureOptions settling(const MeasureOptions& measuring, int round);

/// How reliable a recommendation is, and the figures that this rests on.
struct SweepConfidence {
    /// In words.
    enum class Degree : std::uint8_t { none, low, medium, high } degree = Degree::none;
    std::size_t runs = 0;   // measured with the recommended setting
    double half_width = 0;  // of the 95 % interval of its median, as a share of the median
    /// SampleSummary::drift of its times if they drifted, else 0
    double drift = 0;
    std::size_t verified = 0;  // settings measured in turn with it, including itself
    std::size_t measured = 0, unsteady = 0, planned = 0;  // settings; unsteady: noisy or drifting
};
/// `verified`: cells measured again side by side. High: verified, as precise as requested, and
/// steady. Low: fewer than 6 runs, an interval of more than 4 %, drift, or no other setting to
/// compare with.
SweepConfidence confidence_of(const SweepResult& result,
                              const std::vector<std::size_t>& verified = {});
/// "fair confidence: median known to ±1.2 %; the machine was unsteady during 2 of 6 settings";
/// empty without recommendation.
std::string to_string(const SweepConfidence& confidence);

/// The running sweep as seen from other threads.
struct SweepControl {
    std::atomic<bool> paused{false};  // true: the sweep waits between samples
};

/// Measures the cells in random order, those alike in everything but intra threads and spinning in
/// turn (as many as memory takes), then once more those of cells_to_settle(). With a budget each
/// cell gets its share of what is left of it; cells that would not even give one sample are skipped
/// with the reason. A cell that cannot be opened or run fails with its reason; the others go on.
/// `on_change` gets the results whenever a cell changed, at most ten times a second while
/// measuring. Throws cancelled; the last results of `on_change` are then all that was measured.
/// `model`: as opened; each level is optimized once.
SweepResult sweep(const ModelPtr& model, const SweepSpace& space, const SweepOptions& options,
                  const Progress& progress = {}, const SweepControl* control = nullptr,
                  const std::function<void(const SweepResult&)>& on_change = {});

/// Measures the given cells of a finished sweep again side by side, precisely: "verify the best 3".
/// The recommendation is among them. Throws invalid_input for a cell that is not there.
SweepResult verify(const ModelPtr& model, const SweepResult& found, std::vector<std::size_t> cells,
                   const SweepOptions& options, const Progress& progress = {},
                   const std::function<void(const SweepResult&)>& on_change = {});

}  // namespace lapidary
