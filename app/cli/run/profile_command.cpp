// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/bench/run_counters.h>
#include <lapidary/profile/onnxruntime_profile.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/trace_file.h>
#include <lapidary/profile/trace_match.h>

#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/engines/engine_job.h"
#include "cli/inspect/memory_text.h"
#include "cli/models/model_argument.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/run_options.h"
#include "cli/options/target_option.h"
#include "cli/output/outputs_file.h"
#include "cli/run/compute_choice.h"
#include "cli/run/profile_tables.h"
#include "cli/run/resident_caches.h"
#include "cli/models/trace_argument.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

enum class TraceFormat : std::uint8_t { chrome, onnxruntime };

struct ProfileOptions {
    ModelRunOptions run;          // `model` may be a trace
    std::string of;               // the model of a trace; empty: kernels are not matched
    std::filesystem::path trace;  // to write; empty: none
    TraceFormat format = TraceFormat::chrome;
    int runs = 5;
    int warmup = 1;
    bool roofline = false;         // compare with the machine's peak
    std::optional<SourceUnit> by;  // also sums times by it
    // "auto", or pairs OUT=IN of values that stay on the device; empty: none
    std::vector<std::string> resident;
};

std::int64_t nanoseconds(double ms) { return static_cast<std::int64_t>(ms * 1e6); }

void save_trace(const ProfileOptions& options, const Profile& profile, const Graph* executed) {
    if (options.trace.empty()) return;
    if (options.format == TraceFormat::onnxruntime)
        save_onnxruntime_profile(profile, executed, options.trace);
    else save_chrome_trace(profile, options.trace);
}

Json unmatched_json(const TraceMatch& match) {
    Json list = Json::array();
    for (const UnmatchedKernel& kernel : match.unmatched)
        list.push_back({{"name", kernel.name},
                        {"operator", kernel.op},
                        {"ms", json_number(kernel.ms)},
                        {"reason", kernel.reason}});
    return list;
}

int show_trace(const ProfileOptions& options, Terminal& terminal) {
    terminal.progress().step("read trace");
    check_output_files({options.trace});
    LoadedTrace loaded = load_trace(options.run.model, terminal.cancel);
    std::optional<TraceMatch> match;
    if (!options.of.empty()) {
        const Model model = load_model_argument(options.of, 0, terminal.progress());
        match = match_trace(loaded.profile, model.graph);
        if (!may_be_of_model(*match))
            throw Error(
                ErrorCode::invalid_input,
                fmt::format("it is no recording of {}: none of its {} is a node of that model",
                            quote(options.of), count_text(std::ssize(match->unmatched), "kernel")))
                .at(options.run.model.string());
    }
    save_trace(options, loaded.profile, nullptr);
    const ProfileTables tables{options.run.model,
                               std::string(name_of(loaded.source)),
                               loaded.profile,
                               summarize(loaded.profile),
                               session_overhead(loaded.profile),
                               {},
                               {},
                               options.trace};
    if (terminal.json) {
        Json json = profile_json(tables);
        if (match) {
            json["matched"] = match->matched;
            json["unmatched"] = unmatched_json(*match);
        }
        write_json(terminal.out, json);
        return exit_fine;
    }
    print_profile(terminal.out, tables);
    if (match)
        terminal.out << fmt::format(
            "{} of {} are nodes of {}\n", match->matched,
            count_text(static_cast<std::int64_t>(match->matched + match->unmatched.size()),
                       "kernel"),
            plain(options.of));
    return exit_fine;
}

/// Sums the times of nodes of `graph` by what was asked for.
std::optional<SourceTimes> source_times(const ProfileOptions& options, const Graph& graph,
                                        const std::vector<NodeCost>& costs, double wall_ms) {
    if (!options.by) return std::nullopt;
    return SourceTimes{*options.by, source_costs(graph, costs, *options.by, wall_ms)};
}

/// The duration of runs without a profile: profiling a device waits for each of its steps.
std::string report_unwatched_runs(Session& session, const NamedValues& inputs,
                                  const RunOptions& options) {
    constexpr std::size_t least = 5, most = 50;
    constexpr double enough_ms = 500;
    std::vector<double> times_ms;
    double all_ms = 0;
    while (times_ms.size() < least || (times_ms.size() < most && all_ms < enough_ms)) {
        const auto begin = std::chrono::steady_clock::now();
        session.run(inputs, options);
        times_ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
        all_ms += times_ms.back();
    }
    const auto middle = times_ms.begin() + static_cast<std::ptrdiff_t>(times_ms.size() / 2);
    std::nth_element(times_ms.begin(), middle, times_ms.end());
    return fmt::format("Runs that were not watched took {:.3f} ms (median of {})", *middle,
                       times_ms.size());
}

/// `counters`: of the processor, in the runs that are profiled.
RunResult run_profiled(Session& session, const ProfileOptions& options, const NamedValues& inputs,
                       RunOptions run_options, RunCounters& counters) {
    if (options.warmup > 0) {
        run_options.repetitions = options.warmup;
        session.run(inputs, run_options);
    }
    run_options.repetitions = 1;
    // measured first, so that the device's notes include these runs
    const std::string unwatched = options.run.providers.wanted.empty()
                                      ? std::string()
                                      : report_unwatched_runs(session, inputs, run_options);
    run_options.repetitions = options.runs;
    run_options.profile = true;
    RunWatch watch;
    watch.begin();
    RunResult result = session.run(inputs, run_options);
    counters = watch.end(options.runs);
    if (!result.profile) fail(ErrorCode::internal, "the session returned no profile");
    if (unwatched.empty()) return result;
    const auto reported = std::make_shared<Profile>(*result.profile);
    reported->note += (reported->note.empty() ? "" : ". ") + unwatched;
    result.profile = reported;
    return result;
}

class ProfileCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Measure where the time goes: verdict, operators, nodes, phases, memory; or "
                    "show a trace.json",
                .examples = {"lapidary-cli profile net.onnx --level all --runs 20 --roofline",
                             "lapidary-cli profile net.onnx --dim batch=4 -o trace.json",
                             "lapidary-cli profile net.onnx --by class",
                             "lapidary-cli profile net.onnx -o profile.json --format onnxruntime",
                             "lapidary-cli profile net.onnx --engine onnxruntime --level extended",
                             "lapidary-cli profile onnxruntime_profile_2024-05-01_12-00-00.json"},
                .program_example = "lapidary-cli profile model.onnx --runs 10 -o trace.json"};
    }

    void declare(OptionList& options) override {
        Suggestions models = model_suggestions();
        models.extensions.push_back("json");
        options
            .value("model", "MODEL", options_.run.model,
                   "ONNX model file, sample:NAME, or a trace: of this program or ONNX Runtime's "
                   "profile")
            .required()
            .suggest(models);
        add_run_options(options, options_.run);
        add_target(options);
        Option& trace = add_output(options, "trace.json", options_.trace, {"json"},
                                   "Write a trace for chrome://tracing or Perfetto");
        options
            .take(
                "--format", "chrome|onnxruntime",
                [this](const std::string& name) {
                    options_.format =
                        name == "onnxruntime" ? TraceFormat::onnxruntime : TraceFormat::chrome;
                },
                "What -o writes: a Chrome trace with all that was recorded, unless given; or the "
                "list of events that "
                "ONNX Runtime's profiler writes")
            .one_of({"chrome", "onnxruntime"})
            .needs(trace);
        options
            .value("--of", "MODEL", options_.of,
                   "The model that a trace is of: its kernels are matched to the model's nodes; "
                   "exit code 3 where none "
                   "is one")
            .suggest(model_suggestions());
        options.value("--runs", "N", options_.runs, "Measured runs, 5 unless given")
            .between(1, 1'000'000);
        options.flag("--roofline", options_.roofline,
                     "Compare kernels with what this machine, or the device that they ran on, can "
                     "do at most, which "
                     "takes half a second to measure");
        options
            .take(
                "--by", "class|line",
                [this](const std::string& name) {
                    options_.by = name == "line" ? SourceUnit::line : SourceUnit::class_name;
                },
                "Sum times by the classes of the program that the model was exported from, or by "
                "its lines of code, where its exporter noted them")
            .one_of({"class", "line"});
        options.value("--warmup", "N", options_.warmup, "Runs before measuring, 1 unless given")
            .between(0, 1'000'000);
        add_resident(options, options_.resident);
        add_json(options, json);
        declared_ = &options;
    }

    int run(Terminal& terminal) override {
        if (is_trace(options_.run.model)) {
            refuse_run_options(*declared_, options_.run.model);
            if (options_.by)
                throw UsageError("--by needs the model itself: a trace has no notes of exporters");
            return show_trace(options_, terminal);
        }
        if (!options_.of.empty())
            throw UsageError("--of names the model of a trace, and this is no trace");
        if (options_.run.engine.is_other()) return profile_other_engine(terminal);
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(options_.run.model, options_.run.level, progress,
                                                 true, !options_.run.providers.wanted.empty());
        terminal.note(loaded.layout_note);
        const ModelPtr& model = loaded.model;
        const GatheredInputs inputs = gather_inputs(*model, options_.run.inputs, terminal.cancel);
        check_output_files({options_.run.outputs, options_.trace});
        check_outputs_file(options_.run.outputs);
        SessionOptions session_options;
        session_options.session_passes = loaded.session_passes;
        session_options.resources = options_.run.resources;
        options_.run.providers.apply(session_options);
        session_options.enable_profiling = true;
        const auto choice = settle_compute(model, session_options, inputs.values, progress);
        // Before a session copies weights, so that the figure is the one that `memory` prints.
        const auto process = process_of(model, session_options, inputs.values, progress);
        std::optional<Session> session = Session::compile(model, session_options, progress);
        ResidentCaches caches = ResidentCaches::of(*model, options_.resident);
        RunOptions run_options;
        run_options.cancel = terminal.cancel;
        const NamedValues run_inputs = caches.keep(*session, inputs.values, run_options);
        RunCounters counters;
        RunResult result = run_profiled(*session, options_, run_inputs, run_options, counters);
        caches.take(result);
        if (caches.is_wanted())
            caches.growing = time_growing_caches(*session, *model, caches.pairs,
                                                 options_.run.inputs, inputs, terminal.cancel);
        if (!options_.run.outputs.empty()) save_outputs(options_.run.outputs, result.outputs);
        const Model executed = session->model();
        SurroundingPhases around{nanoseconds(loaded.load_ms), nanoseconds(loaded.optimize_ms), {}};
        around.cleanup_ns = timed_end(session);
        const auto profile = with_surrounding_phases(*result.profile, around);
        save_trace(options_, *profile, &executed.graph);
        ProfileTables tables{options_.run.model,         {}, *profile, summarize(*profile),
                             session_overhead(*profile), {}, {},       options_.trace};
        tables.counters = counters;
        add_costs_of_source(tables, loaded, executed.graph, inputs.values, progress);
        if (options_.roofline) {
            tables.roofs.emplace().roofs = {machine_peak(profile->threads, terminal.cancel),
                                            device_peaks(session_options.providers)};
            tables.roofs->kernels = kernel_peaks(executed.graph, tables.summary.nodes,
                                                 tables.roofs->roofs, tables.summary.wall_ms);
        }
        if (caches.is_wanted()) tables.caches = caches;
        tables.process = process;
        tables.lowered = measure_lowered_precision(model, session_options, inputs.values,
                                                   result.outputs, progress);
        const RunConditions conditions =
            conditions_of(loaded.report.level, session_options, profile->threads, inputs.sizes);
        if (terminal.json) {
            Json json = profile_json(tables);
            json.update(conditions_json(conditions));
            json["optimization"] = optimization_json(loaded.report);
            json["optimization"]["ms"] = loaded.optimize_ms;
            if (choice) json["compute_choice"] = compute_json(*choice);
            write_json(terminal.out, json);
        } else {
            print_conditions(terminal.out, conditions);
            terminal.out << "level  " << level_text(loaded.report)
                         << fmt::format(" ({:.1f} ms)", loaded.optimize_ms) << '\n';
            print_profile(terminal.out, tables);
            if (choice) print_compute(terminal.out, *choice);
        }
        return exit_fine;
    }

private:
    /// The nodes of the file that the times belong to, and times by class or line of the program.
    void add_costs_of_source(ProfileTables& tables, const LoadedModel& loaded,
                             const Graph& executed, const NamedValues& inputs,
                             const Progress& progress) const {
        if (loaded.report.level != Level::disabled) {
            const Model original = sized_for(*loaded.original, inputs, progress);
            tables.originals.emplace(roll_back(tables.profile, executed, original.graph));
            tables.originals->nodes =
                costliest(tables.originals->map, original.graph, tables.summary.wall_ms);
            tables.sources = source_times(options_, original.graph, tables.originals->nodes,
                                          tables.summary.wall_ms);
        } else {
            tables.sources =
                source_times(options_, executed, node_costs(executed, tables.summary.nodes),
                             tables.summary.wall_ms);
        }
    }

    int profile_other_engine(Terminal& terminal) {
        if (options_.roofline)
            throw UsageError("--roofline is about this program's kernels, not " +
                             options_.run.engine.option());
        if (!options_.resident.empty())
            throw UsageError("--resident is about this program's sessions, not " +
                             options_.run.engine.option());
        check_output_files({options_.run.outputs, options_.trace});
        check_outputs_file(options_.run.outputs);
        const EngineJob job = run_in_engine(options_.run, custom_operators,
                                            {{}, options_.warmup, options_.runs, true}, terminal);
        const Profile& profile = *job.record.profile;
        if (!options_.run.outputs.empty()) save_outputs(options_.run.outputs, job.record.outputs);
        save_trace(options_, profile, &job.model->graph);
        ProfileTables tables{options_.run.model,
                             engine_name(job.record),
                             profile,
                             summarize(profile),
                             session_overhead(profile),
                             {},
                             {},
                             options_.trace};
        tables.sources = source_times(options_, job.model->graph,
                                      node_costs(job.model->graph, tables.summary.nodes),
                                      tables.summary.wall_ms);
        const double known = known_share(profile);
        const RunConditions conditions = conditions_of(job, options_.run);
        if (terminal.json) {
            Json json = profile_json(tables);
            json.update(conditions_json(conditions));
            json["engine"] = engine_json(job, options_.run.engine);
            json["known_share"] = json_number(known);
            json["unmatched"] = unmatched_json(job.record.match);
            write_json(terminal.out, json);
            return exit_fine;
        }
        print_engine(terminal, job.record);
        print_conditions(terminal.out, conditions);
        print_profile(terminal.out, tables);
        terminal.out << fmt::format("{:.1f} % of the time of kernels is on nodes of the model\n",
                                    100 * known);
        if (job.record.memory.session_bytes > 0)
            terminal.out << fmt::format(
                "the process grew by {} with the session and by {} with its first run\n",
                byte_text(static_cast<double>(job.record.memory.session_bytes)),
                byte_text(static_cast<double>(job.record.memory.run_bytes)));
        return exit_fine;
    }

    ProfileOptions options_;
    const OptionList* declared_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> profile_command() { return std::make_unique<ProfileCommand>(); }

}  // namespace lapidary::cli
