// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/sweep.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <random>
#include <thread>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "bench/engines/configured_engine.h"
#include "bench/measurement/elapsed.h"
#include "bench/measurement/interleaving.h"
#include "bench/sweep/operator_scaling.h"
#include "bench/sweep/sweep_estimate.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using OnChange = std::function<void(const SweepResult&)>;
using Group = std::vector<std::size_t>;  // cells that are measured in turn

constexpr double least_measuring = 0.05;  // seconds per cell, however small the budget
constexpr std::size_t least_kept = 6;     // samples of a cell that was broken off
constexpr int rounds_apart = 10'000;      // numbers of the rounds of two groups
constexpr int most_profiled_rounds = 7;
constexpr int uncounted_runs = 3;         // before each profiled one, with the profiler too
constexpr double profiling_share = 0.25;  // of the time for measuring

/// True if they only differ in intra threads and spinning.
bool are_alike(RunConfiguration a, const RunConfiguration& b) {
    a.resources.threads = b.resources.threads;
    a.resources.spinning = b.resources.spinning;
    return a == b;
}

class Sweep {
public:
    Sweep(const ModelPtr& model, const SweepOptions& options, const Progress& progress,
          const SweepControl* control, const OnChange& on_change)
        : model_(model), options_(options), progress_(progress), control_(control),
          on_change_(on_change), most_sessions_(engines_at_once(*model)) {
        result_.machine = machine_info();
    }

    SweepResult all(const SweepSpace& space) {
        for (const RunConfiguration& c : configurations(space))
            result_.cells.push_back({c, CellState::waiting, 0, {}, {}});
        estimate();
        publish(true);
        std::vector<Group> groups = groups_of_cells();
        std::mt19937_64 random(options_.measuring.seed);
        std::shuffle(groups.begin(), groups.end(), random);
        for (const Group& group : groups) {
            wait_while_paused();
            measure_group(group, time_per_cell(group), options_.measuring);
        }
        settle();
        return finish();
    }

    SweepResult some(const SweepResult& found, const Group& cells) {
        result_ = found;
        result_.machine = machine_info();
        for (SweepCell& cell : result_.cells) {
            if (cell.state == CellState::done)
                known_.push_back({cell.configuration, cell.measurement.wall.median.median,
                                  cell.measurement.load_ms});
            for (const int round : cell.measurement.rounds)
                next_round_ = std::max(next_round_, round + 1);
        }
        only_ = cells;
        for (const std::size_t i : cells) {
            if (i >= result_.cells.size())
                fail_input(
                    fmt::format("cell {} is not there, the sweep has {}", i, result_.cells.size()));
            result_.cells[i].state = CellState::waiting;
        }
        estimate();
        publish(true);
        for (std::size_t begin = 0; begin < cells.size(); begin += most_sessions_) {
            wait_while_paused();
            const std::size_t end = std::min(cells.size(), begin + most_sessions_);
            const Group group(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                              cells.begin() + static_cast<std::ptrdiff_t>(end));
            measure_group(group, time_per_cell(group), options_.measuring);
        }
        return finish();
    }

private:
    // ---- what is to be done

    std::vector<Group> groups_of_cells() const {
        std::vector<Group> groups;
        for (std::size_t i = 0; i < result_.cells.size(); ++i) {
            const auto fits = [&](const Group& group) {
                return group.size() < most_sessions_ &&
                       std::ranges::all_of(group, [&](std::size_t other) {
                           return are_alike(result_.cells[other].configuration,
                                            result_.cells[i].configuration);
                       });
            };
            if (const auto group = std::ranges::find_if(groups, fits); group != groups.end())
                group->push_back(i);
            else groups.push_back({i});
        }
        return groups;
    }

    void estimate() {
        for (SweepCell& cell : result_.cells)
            if (cell.state == CellState::waiting)
                cell.estimate_seconds =
                    estimated_seconds(cell.configuration, options_.measuring, known_);
    }

    double seconds_left() const {
        return options_.budget_seconds - (seconds_since(start_) - paused_seconds_);
    }

    /// Seconds for each cell of the group. Nothing: the budget is used up, and the cells are
    /// skipped.
    std::optional<double> time_per_cell(const Group& group) {
        if (options_.budget_seconds <= 0) return options_.measuring.seconds;
        const double left = seconds_left();
        double needed = 0;
        for (const std::size_t i : group)
            needed += least_seconds(result_.cells[i].configuration, options_.measuring, known_);
        if (left <= 0 || needed > left) {
            skip(group,
                 left <= 0
                     ? std::string("the time budget ran out")
                     : fmt::format("would take {:.1f} s at least, {:.1f} s of the budget were left",
                                   needed, left));
            return std::nullopt;
        }
        const auto waiting = static_cast<double>(
            std::ranges::count(result_.cells, CellState::waiting, &SweepCell::state));
        const double share = left / waiting - needed / static_cast<double>(group.size());
        return std::clamp(share, least_measuring,
                          std::max(least_measuring, options_.measuring.seconds));
    }

    void skip(const Group& group, const std::string& reason) {
        for (const std::size_t i : group) {
            result_.cells[i].state = CellState::skipped;
            result_.cells[i].reason = reason;
        }
        publish(true);
    }

    // ---- doing it

    struct OpenCell {
        std::size_t cell = 0;
        std::unique_ptr<BenchEngine> engine;
        ConfiguredEngine* own = nullptr;  // the same, where it is this engine
    };

    /// Measures what cannot be distinguished from the recommended setting once more, in turn with
    /// it.
    void settle() {
        for (int round = 1; round <= options_.settle_rounds; ++round) {
            conclude();
            const Group cells =
                cells_to_settle(result_.cells, result_.recommendation, options_.goal);
            if (cells.empty()) return;
            const MeasureOptions measuring = settling(options_.measuring, round);
            double seconds = measuring.seconds;
            if (options_.budget_seconds > 0)
                seconds = std::min(seconds, seconds_left() / static_cast<double>(cells.size()));
            if (seconds < least_measuring) return;
            is_settling_ = true;
            for (std::size_t begin = 0; begin < cells.size(); begin += most_sessions_) {
                wait_while_paused();
                const std::size_t end = std::min(cells.size(), begin + most_sessions_);
                measure_group({cells.begin() + static_cast<std::ptrdiff_t>(begin),
                               cells.begin() + static_cast<std::ptrdiff_t>(end)},
                              seconds, measuring);
            }
        }
    }

    /// `seconds`: per cell; nothing: the group was skipped.
    void measure_group(const Group& group, std::optional<double> seconds,
                       const MeasureOptions& measuring) {
        if (!seconds) return;
        // figures of an earlier measurement, which stay until there are better ones
        std::vector<SweepCell> before;
        for (const std::size_t i : group) {
            before.push_back(result_.cells[i]);
            result_.cells[i].state = CellState::running;
        }
        publish(true);
        try {
            std::vector<OpenCell> open = open_cells(group);
            if (open.empty()) return;
            measure_open(open, *seconds, measuring);
            profile_open(open, *seconds);
        } catch (...) {
            keep_what_is_there(group, before);
            throw;
        }
        for (SweepCell& cell : result_.cells)
            if (cell.state == CellState::waiting)
                cell.estimate_seconds =
                    estimated_seconds(cell.configuration, options_.measuring, known_);
        publish(true);
    }

    std::vector<OpenCell> open_cells(const Group& group) {
        std::vector<OpenCell> open;
        for (const std::size_t i : group) {
            SweepCell& cell = result_.cells[i];
            progress_.step("open " + name_of(cell.configuration), share_done());
            wait_while_paused();
            try {
                open.push_back(open_cell(i));
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled) throw;
                fail_cell(cell, error.what());
            } catch (const std::bad_alloc&) { fail_cell(cell, "out of memory"); }
        }
        return open;
    }

    OpenCell open_cell(std::size_t cell) {
        const RunConfiguration& configuration = result_.cells[cell].configuration;
        NamedValues& inputs = inputs_[configuration.batch];
        if (inputs.empty())
            inputs = inputs_for(*model_, configuration, options_.dimensions, options_.seed,
                                options_.given);
        if (options_.open)
            return {cell, options_.open(configuration, inputs, {progress_.cancel, {}}), nullptr};
        auto own = open_own(configuration, inputs);
        ConfiguredEngine* pointer = own.get();
        return {cell, std::move(own), pointer};
    }

    std::unique_ptr<ConfiguredEngine> open_own(const RunConfiguration& configuration,
                                               const NamedValues& inputs) {
        auto& [model, optimize_ms] = models_[configuration.level];
        if (!model) {
            const auto start = Clock::now();
            model = model_at_level(model_, configuration.level, {progress_.cancel, {}},
                                   options_.optimizing);
            optimize_ms = 1e3 * seconds_since(start);
        }
        RunConfiguration optimized = configuration;
        optimized.session_passes =
            SessionPasses{session_passes_for(options_.session_passes, configuration.level),
                          options_.optimizing.disabled_passes};
        optimized.level = Level::disabled;
        return std::make_unique<ConfiguredEngine>(model, optimized, inputs,
                                                  Progress{progress_.cancel, {}}, optimize_ms, 0,
                                                  options_.session);
    }

    void measure_open(const std::vector<OpenCell>& open, double seconds, MeasureOptions measuring) {
        measuring.seconds = seconds;
        measuring.seed += static_cast<std::uint64_t>(next_round_);
        std::vector<Candidate> candidates;
        for (const OpenCell& one : open)
            candidates.push_back({result_.cells[one.cell].configuration, one.engine.get()});
        Interleaving interleaving(candidates, measuring, next_round_);
        next_round_ += rounds_apart;
        const std::string stage =
            name_of(candidates.front().configuration) +
            (open.size() > 1 ? fmt::format(" and {} more", open.size() - 1) : "");
        const Progress within{
            progress_.cancel, [&](std::string_view what, double) {
                progress_.step(std::string(what) + " " + stage,
                               share_done() + interleaving.share_done() *
                                                  static_cast<double>(open.size()) / cells_to_do());
            }};
        const auto take = [&] {
            const std::vector<Measurement> state = interleaving.state();
            for (std::size_t i = 0; i < open.size(); ++i)
                result_.cells[open[i].cell].measurement = state[i];
        };
        bool more = true;
        try {
            interleaving.warm_up(within);
            while (more) {
                wait_while_paused();
                more = interleaving.round(within);
                if (on_change_ && seconds_since(reported_) >= least_pause) {
                    take();
                    publish(false);
                }
            }
        } catch (...) {
            take();
            throw;
        }
        take();
        for (const OpenCell& one : open) finish_cell(result_.cells[one.cell]);
    }

    void finish_cell(SweepCell& cell) {
        const Measurement& m = cell.measurement;
        if (!m.error.empty()) return fail_cell(cell, m.error);
        cell.state = CellState::done;
        known_.push_back({cell.configuration, m.wall.median.median, m.load_ms});
    }

    void fail_cell(SweepCell& cell, const std::string& reason) {
        cell.state = CellState::failed;
        cell.reason = cell.measurement.error = reason;
        cell.measurement.configuration = cell.configuration;
    }

    bool has_spinning(const std::vector<OpenCell>& open) const {
        return std::ranges::any_of(open, [&](const OpenCell& o) {
            return result_.cells[o.cell].configuration.resources.spinning &&
                   result_.cells[o.cell].configuration.resources.threads != 1;
        });
    }

    /// Operators by threads, in turn too.
    void profile_open(const std::vector<OpenCell>& open, double seconds) {
        if (!options_.operators || options_.open || !only_.empty() || is_settling_) return;
        double round_ms = 0;
        std::vector<const OpenCell*> done;
        for (const OpenCell& one : open) {
            const SweepCell& cell = result_.cells[one.cell];
            if (cell.state != CellState::done ||
                cell.configuration.resources.mode != ExecutionMode::sequential)
                continue;
            if (cell.configuration.resources.threads != 1 &&
                !cell.configuration.resources.spinning && has_spinning(open))
                continue;
            done.push_back(&one);
            round_ms += (2 + uncounted_runs) * cell.measurement.wall.median.median;
        }
        if (done.size() < 2 || (options_.budget_seconds > 0 && seconds_left() < round_ms / 1e3))
            return;
        const double allowed_ms =
            1e3 * profiling_share * seconds * static_cast<double>(done.size());
        const int rounds = std::clamp(static_cast<int>(allowed_ms / std::max(round_ms, 1e-3)), 1,
                                      most_profiled_rounds);
        OperatorTimes& times = operators_[done.front()->cell];
        for (int round = 0; round < rounds; ++round)
            for (const OpenCell* one : done) {
                wait_while_paused();
                one->engine->burst(0, 1);
                // After another cell and a rest caches are cold and workers asleep: the first runs
                // of a small model take several times as long as those that were measured.
                for (int run = 0; run < uncounted_runs; ++run) one->own->profile();
                times.add(result_.cells[one->cell].configuration.resources.threads,
                          *one->own->profile());
            }
    }

    void keep_what_is_there(const Group& group, const std::vector<SweepCell>& before) {
        for (std::size_t at = 0; at < group.size(); ++at) {
            SweepCell& cell = result_.cells[group[at]];
            if (cell.state != CellState::running) continue;
            const SweepCell& earlier = before[at];
            const bool was_measured =
                earlier.measurement.error.empty() && earlier.measurement.wall.median.samples > 0;
            const std::size_t least =
                std::max(least_kept, was_measured ? earlier.measurement.wall.median.samples : 0);
            if (cell.measurement.error.empty() && cell.measurement.samples_ms.size() >= least)
                finish_cell(cell);
            else if (was_measured) cell = earlier, cell.state = CellState::done;
            else cell.state = CellState::waiting;
        }
        conclude();
        publish(true);
    }

    void wait_while_paused() {
        if (!control_ || !control_->paused.load()) return;
        const auto start = Clock::now();
        publish(true);
        while (control_->paused.load()) {
            progress_.cancel.throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        paused_seconds_ += seconds_since(start);
    }

    // ---- reports to the caller

    double cells_to_do() const {
        return static_cast<double>(
            std::max<std::size_t>(only_.empty() ? result_.cells.size() : only_.size(), 1));
    }

    double share_done() const {
        const auto is_left = [](const SweepCell& c) {
            return c.state == CellState::waiting || c.state == CellState::running;
        };
        return 1 -
               static_cast<double>(std::ranges::count_if(result_.cells, is_left)) / cells_to_do();
    }

    void conclude() {
        std::vector<SweepCell> counted = result_.cells;
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (!only_.empty() && std::ranges::find(only_, i) == only_.end())
                counted[i].state = CellState::skipped;
        result_.recommendation = recommend(counted, options_.goal, options_.latency_cap_ms);
        const OperatorTimes* shown = nullptr;  // of the group that the recommended cell is in
        for (const auto& [cell, times] : operators_)
            if (!shown ||
                (result_.recommendation.cell >= 0 &&
                 are_alike(result_.cells[cell].configuration,
                           result_.cells[static_cast<std::size_t>(result_.recommendation.cell)]
                               .configuration)))
                shown = &times;
        if (shown) result_.scaling = shown->scaling();
    }

    void publish(bool now) {
        if (!on_change_ || (!now && seconds_since(reported_) < least_pause)) return;
        if (std::ranges::any_of(result_.cells,
                                [](const SweepCell& c) { return c.state == CellState::done; }))
            conclude();
        on_change_(result_);
        reported_ = Clock::now();
    }

    SweepResult finish() {
        conclude();
        const auto is_through = [](const SweepCell& c) {
            return c.state == CellState::done || c.state == CellState::failed;
        };
        result_.complete =
            only_.empty() ? std::ranges::all_of(result_.cells, is_through) : result_.complete;
        publish(true);
        return std::move(result_);
    }

    static constexpr double least_pause = 0.1;

    const ModelPtr& model_;
    const SweepOptions& options_;
    const Progress& progress_;
    const SweepControl* control_;
    const OnChange& on_change_;
    const std::size_t most_sessions_;
    SweepResult result_;
    Group only_;                                           // cells to verify; empty: all
    std::map<Level, std::pair<ModelPtr, double>> models_;  // and what optimizing took, ms
    std::map<std::int64_t, NamedValues> inputs_;           // by batch
    std::map<std::size_t, OperatorTimes> operators_;       // by the first cell of the group
    std::vector<KnownTimes> known_;
    int next_round_ = 0;
    bool is_settling_ = false;
    double paused_seconds_ = 0;
    Clock::time_point start_ = Clock::now(), reported_{};
};

}  // namespace

std::vector<SweepCell> planned_cells(const SweepSpace& space, const SweepOptions& options,
                                     double run_ms, double load_ms) {
    std::vector<KnownTimes> known;
    if (run_ms > 0) known.push_back({RunConfiguration{}, run_ms, load_ms});
    std::vector<SweepCell> cells;
    for (const RunConfiguration& c : configurations(space))
        cells.push_back(
            {c, CellState::waiting, estimated_seconds(c, options.measuring, known), {}, {}});
    return cells;
}

SweepResult sweep(const ModelPtr& model, const SweepSpace& space, const SweepOptions& options,
                  const Progress& progress, const SweepControl* control,
                  const OnChange& on_change) {
    return Sweep(model, options, progress, control, on_change).all(space);
}

SweepResult verify(const ModelPtr& model, const SweepResult& found, std::vector<std::size_t> cells,
                   const SweepOptions& options, const Progress& progress,
                   const OnChange& on_change) {
    return Sweep(model, options, progress, nullptr, on_change).some(found, cells);
}

}  // namespace lapidary
