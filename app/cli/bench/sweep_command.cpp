// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include <lapidary/advice/advice_facts.h>
#include <lapidary/bench/measurement_json.h>
#include <lapidary/exec/compute.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/scratch_folder.h>

#include "cli/bench/bench_models.h"
#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/engines/engine_job.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/target_option.h"
#include "cli/options/value_checks.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct SweepCommandOptions {
    std::string model;               // a file, or "sample:NAME"
    std::int64_t channel_block = 0;  // LoadOptions' own
    SweepSpace space;
    SweepOptions sweeping;
    InputOptions inputs;     // from files; the others are generated
    std::size_t verify = 0;  // number of best settings to measure again; 0: none
    ProviderOptions providers;
    EngineOptions engine;
};

const char* state_name(CellState state) {
    switch (state) {
    case CellState::waiting: return "not measured";
    case CellState::running: return "running";
    case CellState::done: return "done";
    case CellState::failed: return "failed";
    case CellState::skipped: break;
    }
    return "skipped";
}

/// "2 threads, no spinning, level all": a setting, always with its level.
std::string setting_text(RunConfiguration configuration) {
    const Level level = std::exchange(configuration.level, RunConfiguration{}.level);
    return name_of(configuration) + ", level " + std::string(name_of(level));
}

/// Prints one line on a terminal's error stream for each finished cell.
class ProgressLines {
public:
    explicit ProgressLines(Terminal& terminal) : err_(terminal.err), quiet_(terminal.quiet) {}

    void operator()(const SweepResult& state) {
        if (quiet_) return;
        if (reported_.empty()) {
            reported_.resize(state.cells.size());
            double seconds = 0;
            for (const SweepCell& cell : state.cells) seconds += cell.estimate_seconds;
            err_ << fmt::format("{}, some {:.0f} s\n",
                                count_text(std::ssize(state.cells), "setting"), seconds);
        }
        const auto is_through = [](const SweepCell& c) {
            return c.state != CellState::waiting && c.state != CellState::running;
        };
        report_settling(state);
        double left = 0;
        for (const SweepCell& cell : state.cells)
            if (!is_through(cell)) left += cell.estimate_seconds;
        for (std::size_t i = 0; i < state.cells.size(); ++i) {
            const SweepCell& cell = state.cells[i];
            if (reported_[i] || !is_through(cell)) continue;
            reported_[i] = true;
            err_ << fmt::format("[{}/{}] {}: {}{}\n", std::ranges::count(reported_, true),
                                reported_.size(), setting_text(cell.configuration),
                                cell.state == CellState::done
                                    ? ms_text(cell.measurement.wall.median.median) + " ms"
                                    : std::string(state_name(cell.state)) + ", " + cell.reason,
                                left > 0 ? fmt::format("   ({:.0f} s left)", left) : "");
        }
        err_.flush();
    }

private:
    /// Prints a line each time that settings are measured again.
    void report_settling(const SweepResult& state) {
        if (std::ranges::count(reported_, false) > 0) return;
        const auto again = std::ranges::count(state.cells, CellState::running, &SweepCell::state);
        if (again > settling_)
            err_ << fmt::format(
                "measuring {} {} once more, in turn, until they can be told apart\n", again,
                again == 1 ? "setting" : "settings");
        settling_ = again;
    }

    std::ostream& err_;
    bool quiet_;
    std::vector<bool> reported_;
    std::ptrdiff_t settling_ = 0;  // cells that are measured again now
};

std::vector<std::string> cell_text(const SweepResult& result, std::size_t index) {
    const SweepCell& cell = result.cells[index];
    std::vector<std::string> cells{setting_text(cell.configuration)};
    if (cell.state != CellState::done) {
        cells.insert(cells.end(), {"-", "-", "-", "-", "-", state_name(cell.state)});
        return cells;
    }
    const Measurement& m = cell.measurement;
    cells.push_back(ms_text(m.wall.median.median));
    cells.push_back(spread_text(m.wall.median));
    cells.push_back(ms_text(m.wall.p99));
    cells.push_back(fmt::format("{:.4g}", m.per_second));
    cells.push_back(fmt::format("{:.2f}", m.cpu_ms.median / m.wall.median.median));
    const auto& equals = result.recommendation.equals;
    std::string remark;
    const auto& undecided = result.recommendation.undecided;
    if (static_cast<std::ptrdiff_t>(index) == result.recommendation.cell) remark = "recommended";
    else if (std::ranges::find(equals, index) != equals.end()) remark = "no difference";
    else if (std::ranges::find(undecided, index) != undecided.end()) remark = "not known";
    for (const auto& [is_so, word] : std::initializer_list<std::pair<bool, const char*>>{
             {m.wall.noisy, "noisy"}, {m.wall.drifts, "drifts"}, {m.busy, "busy"}})
        if (is_so) remark += (remark.empty() ? "" : ", ") + std::string(word);
    cells.push_back(remark);
    return cells;
}

void print_scaling(std::ostream& out, const std::vector<OperatorScaling>& scaling) {
    constexpr std::size_t most_shown = 10;
    if (scaling.empty()) return;
    std::vector<std::string> header{"operator"};
    for (const auto& [threads, ms] : scaling.front().ms)
        header.push_back(fmt::format("{} {}, ms", threads, threads == 1 ? "thread" : "threads"));
    header.insert(header.end(), {"efficiency", "stops scaling"});
    TextTable table(header);
    for (std::size_t i = 0; i < std::min(most_shown, scaling.size()); ++i) {
        const OperatorScaling& o = scaling[i];
        if (o.ms.size() != scaling.front().ms.size()) continue;
        std::vector<std::string> cells{plain(o.op)};
        for (const auto& [threads, ms] : o.ms) cells.push_back(ms_text(ms));
        cells.push_back(fmt::format("{:.0f} %", 100 * o.efficiency));
        cells.push_back(o.stops_at == 0 ? "no" : fmt::format("at {}", o.stops_at));
        table.add(cells);
    }
    out << "operators by threads\n";
    table.print(out);
}

void print_result(std::ostream& out, const SweepResult& result,
                  const std::vector<std::size_t>& verified, const RunConditions& conditions) {
    out << machine_text();
    print_conditions(out, conditions);
    TextTable table({"setting", "ms", "+-", "p99", "per s", "cores busy", ""}, {0, 6});
    for (std::size_t i = 0; i < result.cells.size(); ++i) table.add(cell_text(result, i));
    table.print(out);
    for (const SweepCell& cell : result.cells) {
        if (cell.state == CellState::failed || cell.state == CellState::skipped)
            out << "  " << setting_text(cell.configuration) << ": " << plain(cell.reason) << '\n';
    }
    const auto any = [&](auto&& is_so) {
        return std::ranges::any_of(result.cells, [&](const SweepCell& c) {
            return c.state == CellState::done && is_so(c.measurement);
        });
    };
    if (any([](const Measurement& m) { return m.wall.noisy; }))
        out << "  noisy: the median is not known as exactly as asked for; more --seconds help\n";
    if (any([](const Measurement& m) { return m.wall.drifts; }))
        out << "  drifts: the last third was slower or faster than the first\n";
    if (any([](const Measurement& m) { return m.busy; }))
        out << "  busy: the machine was busy or slow nearly all the time\n";
    print_scaling(out, result.scaling);
    out << "recommendation: " << plain(result.recommendation.sentence) << '\n';
    if (const std::string confidence = to_string(confidence_of(result, verified));
        !confidence.empty())
        out << "  " << confidence << '\n';
}

/// The fastest cells for the goal.
std::vector<std::size_t> best_cells(const SweepResult& result, std::size_t count, SweepGoal goal) {
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        if (result.cells[i].state == CellState::done) done.push_back(i);
    std::ranges::sort(done, {}, [&](std::size_t i) {
        const Measurement& m = result.cells[i].measurement;
        return goal == SweepGoal::latency ? m.wall.median.median : -m.per_second;
    });
    done.resize(std::min(done.size(), count));
    return done;
}

constexpr const char* sweep_notes = R"(
Settings that differ in threads and spinning only are measured in turn, the others in random order, each for the time it
needs to be known to 2 %. The recommendation is the fastest for the goal, or among those that are as fast, known to
within 5 %, the one that takes the least from the machine. Settings that cannot be told apart from it are measured once
more, in turn with it and for longer; "not known" stands at those of which even that gives no answer. Inputs that no
file gives are generated; where --batch is another size than that of a given input, its rows are taken in turn. Ctrl-C
keeps what is done.)";

class SweepCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Find the fastest settings: threads, batch, execution mode, spinning",
            .notes = sweep_notes,
            .examples =
                {"lapidary-cli sweep net.onnx --intra 1,2,4 --spinning on,off",
                 "lapidary-cli sweep net.onnx --engine onnxruntime --level basic,all --intra 1,2",
                 "lapidary-cli sweep net.onnx --batch 1,2,4,8,16 --goal throughput --latency-cap "
                 "50 --budget 60"},
            .program_example = "lapidary-cli sweep resnet50.onnx --batch 1,8 --goal throughput"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        declare_space(options);
        MeasureOptions& measuring = options_.sweeping.measuring;
        add_seconds(options, measuring.seconds,
                    "Measuring time per setting at most, 1 unless given");
        add_precision(options, measuring.precision,
                      "Stop early when medians are known to this share, 0.02 unless given");
        options
            .value("--budget", "S", options_.sweeping.budget_seconds,
                   "Time for everything; none unless given")
            .positive();
        options
            .take(
                "--goal", "latency|throughput",
                [this](const std::string& goal) {
                    options_.sweeping.goal =
                        goal == "throughput" ? SweepGoal::throughput : SweepGoal::latency;
                },
                "What the recommendation is best at; latency unless given")
            .one_of({"latency", "throughput"});
        options
            .value("--latency-cap", "MS", options_.sweeping.latency_cap_ms,
                   "Recommend nothing that takes longer")
            .positive();
        options
            .value("--verify", "N", options_.verify, "Measure the best N once more, side by side")
            .between(2, 64);
        options
            .value("--settle", "N", options_.sweeping.settle_rounds,
                   "Measure what cannot be told apart from the best up to N times more, each time "
                   "twice as long; 2 "
                   "unless given, 0: never")
            .between(0, 8);
        add_compute(options, options_.sweeping.session.resources.config);
        add_provider_options(options, options_.providers);
        add_engine_options(options, options_.engine);
        add_given_inputs(options, options_.inputs);
        add_dimensions(options, options_.sweeping.dimensions);
        options
            .value("--seed", "N", options_.sweeping.seed,
                   "Seed of the inputs that are generated, 1 unless given")
            .checked_by(count_problem);
        add_target(options);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const Progress progress = terminal.progress();
        check_compute();
        const ModelPtr model = std::make_shared<const Model>(
            load_model_argument(options_.model, options_.channel_block, progress));
        options_.inputs.dimensions = options_.sweeping.dimensions;
        options_.sweeping.given = given_inputs(*model, options_.inputs, terminal.cancel).values;
        SweepSpace space = options_.space;
        const RunConditions conditions{std::nullopt, 0, 1, sizes_in_common(*model, space)};
        const bool has_parallel =
            std::ranges::find(space.modes, ExecutionMode::parallel) != space.modes.end();
        if (has_parallel && std::ranges::all_of(space.inter, [](int inter) { return inter == 1; }))
            space.inter = {std::max(2, machine_info().cores)};
        const ScratchFolder folder;
        set_engine(folder.path(), progress);
        ProgressLines lines(terminal);
        SweepResult last;
        bool cancelled = false;
        const auto on_change = [&](const SweepResult& state) {
            last = state;
            if (!terminal.json) lines(state);
        };
        std::vector<std::size_t> best;  // verified, if requested
        try {
            last = sweep(model, space, options_.sweeping, progress, nullptr, on_change);
            if (options_.verify > 0)
                best = best_cells(last, options_.verify, options_.sweeping.goal);
            if (best.size() > 1) {
                if (!terminal.json && !terminal.quiet)
                    terminal.err << fmt::format("once more, side by side: the best {}\n",
                                                best.size());
                SweepOptions exact = options_.sweeping;
                exact.measuring.seconds *= 3;
                exact.measuring.precision /= 2;
                exact.budget_seconds = 0;
                last = verify(model, last, best, exact, progress,
                              [&](const SweepResult& state) { last = state; });
            }
        } catch (const Error& error) {
            const bool has_some = std::ranges::any_of(
                last.cells, [](const SweepCell& c) { return c.state == CellState::done; });
            if (error.code() != ErrorCode::cancelled || !has_some) throw;
            cancelled = true;
        }
        if (std::ranges::all_of(last.cells,
                                [](const SweepCell& c) { return c.state == CellState::failed; }))
            fail(ErrorCode::not_supported, "no setting could be measured; " +
                                               name_of(last.cells.front().configuration) + ": " +
                                               last.cells.front().reason);
        if (terminal.json) {
            Json json = json_from_text(to_json(last, false), "sweep");
            json.update(conditions_json(conditions));
            json["compute"] = compute_entry(options_.sweeping.session.resources);
            json["cancelled"] = cancelled;
            write_json(terminal.out, json);
        } else {
            if (const std::string compute = compute_entry(options_.sweeping.session.resources);
                compute != name_of(Compute::exact))
                terminal.out << "weights  " << compute << '\n';
            print_result(terminal.out, last, cancelled ? std::vector<std::size_t>() : best,
                         conditions);
            if (cancelled) terminal.err << "lapidary-cli: cancelled; what was measured is kept\n";
        }
        return cancelled ? exit_cancelled : exit_fine;
    }

private:
    /// One choice for all settings: they are compared with each other.
    void check_compute() const {
        const std::string compute = compute_entry(options_.sweeping.session.resources);
        if (compute == auto_compute)
            fail_input("sweep takes one --compute of " + compute_names_or() +
                       ": run says what auto takes");
        if (compute != name_of(Compute::exact) &&
            (options_.engine.is_other() || !options_.providers.wanted.empty()))
            throw UsageError("--compute is an option of this program's engine on the CPU");
    }

    /// The sizes that all settings share: if batches are swept, each row names its own.
    UsualSizes sizes_in_common(const Model& model, const SweepSpace& space) const {
        UsualSizes sizes =
            usual_sizes(model, options_.sweeping.dimensions, options_.sweeping.given);
        if (std::ranges::all_of(space.batches, [](std::int64_t batch) { return batch == 0; }))
            return sizes;
        for (const std::string& batch : facts_of(model).free_batches) {
            sizes.all.erase(batch);
            std::erase_if(sizes.chosen,
                          [&](const ChosenSize& chosen) { return chosen.dimension == batch; });
        }
        return sizes;
    }

    void set_engine(const std::filesystem::path& folder, const Progress& progress) {
        ModelRunOptions running;
        running.providers = options_.providers;
        running.engine = options_.engine;
        running.level.session_passes = options_.sweeping.session_passes;
        running.level.rules = options_.sweeping.optimizing.rules;
        std::filesystem::path file;
        if (options_.engine.is_other())
            file = model_file_of(options_.model, 0, folder, progress,
                                 options_.engine.of_plugin.has_value());
        set_swept_engine(options_.sweeping, running, custom_operators, file);
    }

    void declare_space(OptionList& options) {
        SweepSpace& space = options_.space;
        space.intra = thread_choices();
        add_levels(options, space.levels);
        add_rules(options, options_.sweeping.optimizing.rules);
        add_session_passes(options, options_.sweeping.session_passes);
        add_thread_counts(options, "--intra", space.intra, 0,
                          "Threads inside an operator; powers of two up to the cores unless given, "
                          "0: one per core");
        add_thread_counts(
            options, "--inter", space.inter, 1,
            "Operators at the same time in parallel execution; one per core unless given");
        add_batches(
            options, space.batches,
            "Sizes of the batch dimension; as the inputs come unless given, 1 of generated ones");
        options
            .take_all(
                "--execution", "sequential|parallel,...",
                [&space](const std::vector<std::string>& names) {
                    space.modes.clear();
                    for (const std::string& name : names)
                        space.modes.push_back(name == "parallel" ? ExecutionMode::parallel
                                                                 : ExecutionMode::sequential);
                },
                "One operator at a time, or branches of the graph at the same time; sequential "
                "unless given")
            .separated_by_commas()
            .one_of({"sequential", "parallel"});
        options
            .take_all(
                "--spinning", "on|off,...",
                [&space](const std::vector<std::string>& names) {
                    space.spinning.clear();
                    for (const std::string& name : names) space.spinning.push_back(name == "on");
                },
                "Workers wait hot for the next piece of work of a run, or sleep; on unless given")
            .separated_by_commas()
            .one_of({"on", "off"});
    }

    SweepCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> sweep_command() { return std::make_unique<SweepCommand>(); }

}  // namespace lapidary::cli
