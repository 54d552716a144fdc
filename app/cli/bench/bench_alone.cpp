// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/bench_alone.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <lapidary/bench/regression_gate.h>

#include "cli/bench/bench_baseline.h"
#include "cli/bench/bench_fresh.h"
#include "cli/bench/bench_report.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/run/compute_choice.h"

namespace lapidary::cli {
namespace {

constexpr int rounds_apart = 10'000;  // distance of the round numbers of two portions

/// One row to be measured.
struct Job {
    std::size_t row = 0;
    std::string argument;
    ModelPtr model;  // as loaded
    double load_ms = 0;
    NamedValues inputs;
    std::unique_ptr<BenchEngine> engine;
};

/// Inferences per run: the first dimension of the inputs, if it is the batch.
std::int64_t batch_of(const Model& model, const NamedValues& inputs,
                      std::optional<std::int64_t> asked) {
    if (asked) return *asked;
    const std::vector<std::string> names = batch_dimensions(model);
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || !input.type.shape || input.type.shape->empty()) continue;
        const Dim& first = (*input.type.shape)[0];
        if (first.is_symbolic() && !names.empty() &&
            std::ranges::find(names, first.symbol()) == names.end())
            return 1;
        break;
    }
    return first_dimension(inputs);
}

const Measurement* find_in(const Baseline& baseline, const BenchRow& row) {
    return baseline.find(row.model, row.measurement.configuration, named_sizes(row.sizes),
                         *row.loaded);
}

class Bench {
public:
    Bench(const BenchCommandOptions& options, const Baseline* baseline, Terminal& terminal)
        : options_(options), baseline_(baseline), terminal_(terminal) {}

    /// `planned` sees the rows before anything is measured, and may throw.
    BenchResult run(const std::function<void(const std::vector<BenchRow>&)>& planned) {
        for (const std::string& argument : options_.models) plan(argument);
        if (planned) planned(result_.rows);
        if (!jobs_.empty()) result_.core_gflops = core_peak_gflops();
        std::size_t most = 64;
        for (const Job& job : jobs_) most = std::min(most, engines_at_once(*job.model));
        result_.portions = static_cast<int>((jobs_.size() + most - 1) / most);
        for (std::size_t begin = 0; begin < jobs_.size(); begin += most)
            measure(std::span(jobs_).subspan(begin, std::min(most, jobs_.size() - begin)),
                    static_cast<int>(begin / most));
        try {
            for (const Job& job : jobs_)
                if (options_.memory && !result_.cancelled) measure_memory(job);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::cancelled) throw;
            result_.cancelled = true;
        }
        compare();
        return std::move(result_);
    }

private:
    Progress progress() const { return terminal_.progress(); }

    /// Adds the model's rows. A model that cannot be loaded gets one row with the reason; if it is
    /// the only model, throws.
    void plan(const std::string& argument) {
        try {
            const auto start = std::chrono::steady_clock::now();
            const ModelPtr model = std::make_shared<const Model>(
                load_model_argument(argument, options_.channel_block, progress()));
            const double load_ms =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
            if (options_.batches.empty()) plan_batch(argument, model, load_ms, {});
            for (const std::int64_t batch : options_.batches)
                plan_batch(argument, model, load_ms, batch);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled || options_.models.size() == 1) throw;
            BenchRow row;
            row.model = model_name(argument);
            row.measurement.error = error.what();
            result_.rows.push_back(std::move(row));
        }
    }

    void plan_batch(const std::string& argument, const ModelPtr& model, double load_ms,
                    std::optional<std::int64_t> batch) {
        const GatheredInputs gathered =
            inputs_of_size(*model, options_.inputs, batch, terminal_.cancel);
        const NamedValues& inputs = gathered.values;
        BenchRow row;
        row.model = model_name(argument);
        row.work = work_of(*model, inputs, progress());
        row.sizes = gathered.sizes;
        row.loaded = model;
        for (const Level level : options_.levels)
            for (const int inter : options_.inter)
                for (const int intra : options_.intra)
                    for (const std::string& compute : options_.computes) {
                        row.measurement.configuration =
                            configuration_of(level, fixed_resources(intra, inter), compute);
                        row.measurement.configuration.batch = batch_of(*model, inputs, batch);
                        jobs_.push_back(
                            {result_.rows.size(), argument, model, load_ms, inputs, nullptr});
                        result_.rows.push_back(row);
                    }
    }

    RunConfiguration configuration_of(Level level, RunResources resources,
                                      const std::string& compute) const {
        RunConfiguration configuration{level, std::move(resources)};
        if (compute != name_of(Compute::exact))
            configuration.resources.config[std::string(compute_key)] = compute;
        if (options_.session_passes)
            configuration.session_passes =
                SessionPasses{session_passes_for(options_.session_passes, level), {}};
        return configuration;
    }

    /// After a cancel returns what was measured so far.
    std::vector<Measurement> measure_candidates(std::span<const Candidate> candidates,
                                                const MeasureOptions& options) {
        std::vector<Measurement> last;
        try {
            last = measure_interleaved(candidates, options, progress(),
                                       [&](const auto& state) { last = state; });
        } catch (const Error& error) {
            const bool has_some = std::ranges::any_of(
                last, [](const Measurement& m) { return !m.samples_ms.empty(); });
            if (error.code() != ErrorCode::cancelled || !(has_some || has_measured_)) throw;
            result_.cancelled = true;
            last.resize(candidates.size());
            for (std::size_t i = 0; i < last.size(); ++i) {
                last[i].configuration = candidates[i].configuration;
                if (last[i].samples_ms.empty()) last[i].error = "cancelled before it was measured";
            }
        }
        has_measured_ = true;
        return last;
    }

    void measure(std::span<Job> jobs, int portion) {
        if (result_.cancelled) {
            for (const Job& job : jobs)
                result_.rows[job.row].measurement.error = "cancelled before it was measured";
            return;
        }
        std::vector<Candidate> candidates;
        std::vector<const Measurement*> baselines;  // parallel; null: no saved measurement
        for (Job& job : jobs) {
            RunConfiguration& configuration = result_.rows[job.row].measurement.configuration;
            try {
                open(job, configuration, &job == &jobs_.back());
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled || options_.models.size() == 1) throw;
                result_.rows[job.row].measurement.error = error.what();
                continue;
            }
            candidates.push_back({configuration, job.engine.get()});
            const BenchRow& row = result_.rows[job.row];
            baselines.push_back(baseline_ && row.loaded ? find_in(*baseline_, row) : nullptr);
        }
        MeasureOptions measuring;
        measuring.seconds = options_.measuring.seconds;
        measuring.precision = options_.measuring.precision;
        measuring.seed = options_.measuring.seed;
        measuring.runs = options_.runs;
        measuring.budget_seconds = options_.gate_seconds;
        if (options_.max_regress)
            measuring.is_enough = [&](const std::vector<Measurement>& state) {
                for (std::size_t i = 0; i < state.size(); ++i) {
                    if (!baselines[i]) continue;
                    const GateResult gate =
                        hold_to_limit(*baselines[i], state[i], false, *options_.max_regress);
                    if (gate.verdict == GateVerdict::unresolved && !gate.is_final) return false;
                }
                return true;
            };
        const std::vector<Measurement> measured = measure_candidates(candidates, measuring);
        std::size_t next = 0;
        for (Job& job : jobs) {
            if (!job.engine) continue;
            Measurement& m = result_.rows[job.row].measurement;
            m = measured[next++];
            m.load_ms += job.load_ms;
            for (int& round : m.rounds) round += portion * rounds_apart;
            if (!m.error.empty() && options_.models.size() == 1 && !result_.cancelled)
                fail(ErrorCode::not_supported, name_of(m.configuration) + ": " + m.error);
            job.engine.reset();
        }
    }

    /// With --compute auto the choice becomes part of the configuration.
    void open(Job& job, RunConfiguration& configuration, bool is_last) {
        ModelPtr& optimized = optimized_[{job.model, configuration.level}];
        if (!optimized && (configuration.level != Level::disabled || !options_.rules.empty())) {
            OptimizeOptions options;
            options.level = configuration.level;
            options.rules = options_.rules;
            options.near_misses = false;
            const auto start = std::chrono::steady_clock::now();
            optimized =
                std::make_shared<const Model>(optimize(*job.model, options, progress()).model);
            optimize_ms_[optimized] =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                    .count();
        } else if (!optimized) {
            optimized = job.model;
        }
        SessionOptions session;
        session.session_passes =
            SessionPasses{session_passes_for(options_.session_passes, configuration.level), {}};
        session.resources = configuration.resources;
        BenchRow& row = result_.rows[job.row];
        row.choice = settle_compute(optimized, session, job.inputs, progress());
        if (row.choice && row.choice->compute == Compute::exact)
            session.resources.config.erase(std::string(compute_key));
        configuration.resources = session.resources;
        RunConfiguration plain = configuration;
        plain.level = Level::disabled;
        plain.session_passes = session.session_passes;
        job.engine =
            open_engine(optimized, plain, job.inputs, progress(), is_last ? options_.slow_down : 0);
        if (compute_of(session) != Compute::exact)
            row.lowered = measure_lowered_precision(optimized, session, job.inputs,
                                                    job.engine->outputs(), progress());
        if (const auto ms = optimize_ms_.find(optimized); ms != optimize_ms_.end())
            job.load_ms += ms->second;
    }

    void measure_memory(const Job& job) {
        BenchRow& row = result_.rows[job.row];
        Measurement& m = row.measurement;
        if (!m.error.empty()) return;
        const BenchConfiguration configuration{
            model_file_of(job.argument, options_.channel_block, scratch_.path(), progress()),
            m.configuration.level,
            m.configuration.resources,
            job.inputs,
            SessionPasses{session_passes_for(options_.session_passes, m.configuration.level), {}},
            options_.rules};
        const auto fresh =
            measure_fresh_processes(configuration, {}, nullptr, scratch_, terminal_.cancel);
        if (!fresh) return;
        m.load_ms = fresh->at(0).load_ms;
        m.first_ms = fresh->at(0).first_ms;
        m.peak_mb = fresh->at(0).peak_mb;
        row.fresh_processes = fresh->at(0).processes;
    }

    void compare() {
        const BenchRow* first = nullptr;
        for (BenchRow& row : result_.rows) {
            if (!row.measurement.error.empty()) continue;
            if (!first) {
                first = &row;
                continue;
            }
            std::string name =
                name_of(row.measurement.configuration, first->measurement.configuration);
            if (row.model != first->model) name = row.model + ", " + name;
            row.against_first = difference_between(first->measurement, row.measurement, true, name);
        }
    }

    const BenchCommandOptions& options_;
    const Baseline* baseline_;  // null: none
    Terminal& terminal_;
    ScratchFolder scratch_;
    std::vector<Job> jobs_;
    std::map<std::pair<ModelPtr, Level>, ModelPtr> optimized_;
    std::map<ModelPtr, double> optimize_ms_;
    bool has_measured_ = false;
    BenchResult result_;
};

/// Refuses a baseline that has a model only under other conditions, before the long measurement.
void check_conditions(const Baseline& baseline, const BenchCommandOptions& options,
                      const std::vector<BenchRow>& rows) {
    std::map<std::string, const BenchRow*> without;
    std::set<std::string> found;
    for (const BenchRow& row : rows) {
        if (!row.loaded) continue;
        if (find_in(baseline, row)) found.insert(row.model);
        else without.emplace(row.model, &row);
    }
    for (const auto& [model, row] : without) {
        const std::string then = baseline.conditions_of(model, *row->loaded);
        if (!found.contains(model) && !then.empty())
            throw UsageError(options.baseline.string() + ": " + model + " was measured with " +
                             then + ", here it is " + configuration_text(*row) +
                             "; times under other conditions do not compare");
    }
}

/// Compares each row with the baseline. A row that the baseline lacks does not pass.
GateVerdict hold_against(const Baseline& baseline, const BenchCommandOptions& options,
                         const std::vector<BenchRow>& rows, std::ostream& text, Json& json) {
    GateVerdict worst = GateVerdict::passes;
    const auto meet = [&](GateVerdict verdict) {
        if (options.max_regress && worst != GateVerdict::fails && verdict != GateVerdict::passes)
            worst = verdict;
    };
    std::size_t compared = 0;
    json = Json::array();
    for (const BenchRow& row : rows) {
        if (!row.measurement.error.empty()) continue;
        const std::string name = row.model + ", " + configuration_text(row);
        const Measurement* then = find_in(baseline, row);
        if (!then) {
            text << "baseline  " << name << ": not in " << options.baseline.string() << '\n';
            json.push_back({{"configuration", name}, {"found", false}});
            meet(GateVerdict::unresolved);
            continue;
        }
        ++compared;
        const Difference difference = difference_between(*then, row.measurement, false);
        const GateResult gate =
            hold_to_limit(*then, row.measurement, false, options.max_regress.value_or(0));
        meet(gate.verdict);
        const MedianEstimate& r = difference.ratio;
        text << fmt::format("baseline  {}: {} ms then, {} ms now: {}\n", name,
                            ms_text(then->wall.median.median),
                            ms_text(row.measurement.wall.median.median),
                            options.max_regress ? gate.sentence
                            : !difference.significant
                                ? difference.sentence
                                : fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}]", 100 * (r.median - 1),
                                              100 * (r.low - 1), 100 * (r.high - 1)));
        Json entry = {{"configuration", name},
                      {"found", true},
                      {"then_ms", then->wall.median.median},
                      {"change_per_cent", 100 * (r.median - 1)},
                      {"ci_per_cent", {100 * (r.low - 1), 100 * (r.high - 1)}},
                      {"significant", difference.significant},
                      {"regression", options.max_regress && gate.verdict == GateVerdict::fails}};
        if (options.max_regress) {
            entry["verdict"] = name_of(gate.verdict);
            entry["sentence"] = gate.sentence;
        }
        json.push_back(std::move(entry));
    }
    if (compared == 0)
        fail_input(options.baseline.string() +
                   ": none of these models and configurations is in it");
    return worst;
}

}  // namespace

RunConditions conditions_of(const BenchRow& row) {
    const RunConfiguration& c = row.measurement.configuration;
    return {c.level, c.resources.threads, c.resources.nodes_at_a_time(), row.sizes};
}

std::string weights_text(const RunResources& resources) {
    const std::string entry = compute_entry(resources);
    return entry == name_of(Compute::exact) ? std::string() : ", " + entry + " weights";
}

std::string configuration_text(const BenchRow& row) {
    return text_of(conditions_of(row)) + weights_text(row.measurement.configuration.resources);
}

BenchResult measure_alone(const BenchCommandOptions& options, Terminal& terminal,
                          const std::function<void(const std::vector<BenchRow>&)>& planned) {
    return Bench(options, nullptr, terminal).run(planned);
}

int run_alone(const BenchCommandOptions& options, Terminal& terminal) {
    std::optional<Baseline> baseline;  // read before the long measurement
    if (!options.baseline.empty()) baseline.emplace(options.baseline, options.any_machine);
    const BenchResult result = Bench(options, baseline ? &*baseline : nullptr, terminal)
                                   .run([&](const std::vector<BenchRow>& rows) {
                                       if (baseline) check_conditions(*baseline, options, rows);
                                   });
    Json json = bench_json(options, result);
    json["cancelled"] = result.cancelled;
    std::ostringstream change;
    const GateVerdict gate =
        baseline ? hold_against(*baseline, options, result.rows, change, json["baseline"])
                 : GateVerdict::passes;
    save_json(options.json_file, json);
    if (!options.csv_file.empty()) save_bench_csv(options.csv_file, result);
    if (terminal.json) write_json(terminal.out, json);
    else print_bench(terminal.out, result);
    (terminal.json ? terminal.err : terminal.out) << change.str();
    if (result.cancelled) {
        if (!terminal.json) terminal.err << "lapidary-cli: cancelled; what was measured is shown\n";
        return exit_cancelled;
    }
    if (gate == GateVerdict::fails) return exit_check_failed;
    const bool failed = std::ranges::any_of(
        result.rows, [](const BenchRow& row) { return !row.measurement.error.empty(); });
    if (failed) return exit_not_supported;
    return gate == GateVerdict::unresolved ? exit_unresolved : exit_fine;
}

}  // namespace lapidary::cli
