// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/error.h>
#include <lapidary/onnxruntime_profile.h>
#include <lapidary/output_file.h>
#include <lapidary/session.h>
#include <lapidary/trace_file.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/profile_tables.h"
#include "cli/trace_argument.h"
#include "cli/value_archive.h"

namespace lapidary::cli {
namespace {

std::int64_t nanoseconds(double ms) { return static_cast<std::int64_t>(ms * 1e6); }

void save_trace(const ProfileOptions& options, const Profile& profile, const Graph* executed) {
    if (options.trace.empty()) return;
    if (options.format == TraceFormat::onnxruntime) save_onnxruntime_profile(profile, executed, options.trace);
    else save_chrome_trace(profile, options.trace);
}

int show_trace(const ProfileOptions& options, Terminal& terminal) {
    terminal.progress().step("read trace");
    check_output_files({options.trace});
    const LoadedTrace loaded = load_trace(options.run.model, terminal.cancel);
    save_trace(options, loaded.profile, nullptr);
    const ProfileTables tables{options.run.model,
                               std::string(name_of(loaded.source)),
                               loaded.profile,
                               summarize(loaded.profile),
                               session_overhead(loaded.profile),
                               {},
                               {},
                               options.trace};
    if (terminal.json) write_json(terminal.out, profile_json(tables));
    else print_profile(terminal.out, tables);
    return exit_fine;
}

RunResult run_profiled(Session& session, const ProfileOptions& options, const NamedValues& inputs, Terminal& terminal) {
    RunOptions run_options;
    run_options.cancel = terminal.cancel;
    if (options.warmup > 0) {
        run_options.repetitions = options.warmup;
        session.run(inputs, run_options);
    }
    run_options.repetitions = options.runs;
    run_options.profile = true;
    RunResult result = session.run(inputs, run_options);
    if (!result.profile) fail(ErrorCode::internal, "the session returned no profile");
    return result;
}

}  // namespace

int run_profile(const ProfileOptions& options, Terminal& terminal) {
    if (is_trace(options.run.model)) return show_trace(options, terminal);
    const Progress progress = terminal.progress();
    const LoadedModel loaded = load_at_level(options.run.model, options.run.level, progress, true);
    terminal.note(loaded.layout_note);
    const ModelPtr& model = loaded.model;
    const GatheredInputs inputs = gather_inputs(*model, options.run.inputs, terminal.cancel);
    check_output_files({options.run.outputs, options.trace});
    check_outputs_file(options.run.outputs);
    SessionOptions session_options;
    session_options.intra_threads = options.run.intra_threads;
    session_options.config_entries = options.run.config;
    session_options.enable_profiling = true;
    std::optional<Session> session = Session::compile(model, session_options, progress);
    const RunResult result = run_profiled(*session, options, inputs.values, terminal);
    if (!options.run.outputs.empty()) save_outputs(options.run.outputs, result.outputs);
    const Model executed = session->model();
    SurroundingPhases around{nanoseconds(loaded.load_ms), nanoseconds(loaded.optimize_ms), {}};
    around.cleanup_ns = timed_end(session);
    const auto profile = with_surrounding_phases(*result.profile, around);
    save_trace(options, *profile, &executed.graph);
    ProfileTables tables{options.run.model,          {}, *profile, summarize(*profile),
                         session_overhead(*profile), {}, {},       options.trace};
    if (loaded.report && loaded.report->level != Level::disabled) {
        const Model original = sized_for(*loaded.original, inputs.values, progress);
        tables.originals.emplace(roll_back(*profile, executed.graph, original.graph));
        tables.originals->nodes = costliest(tables.originals->map, original.graph, tables.summary.wall_ms);
    }
    if (options.roofline) {
        tables.roofs.emplace().peak = machine_peak(profile->threads, terminal.cancel);
        tables.roofs->kernels =
            kernel_peaks(executed.graph, tables.summary.nodes, tables.roofs->peak, tables.summary.wall_ms);
    }
    if (terminal.json) {
        Json json = profile_json(tables);
        if (loaded.report) json["optimization"] = {{"level", name_of(loaded.report->level)}, {"nodes_before", loaded.report->nodes_before},
                                                   {"nodes_after", loaded.report->nodes_after}, {"ms", loaded.optimize_ms}};
        write_json(terminal.out, json);
    } else {
        if (loaded.report) terminal.out << "level  " << level_text(*loaded.report) << fmt::format(" ({:.1f} ms)", loaded.optimize_ms) << '\n';
        print_profile(terminal.out, tables);
    }
    return exit_fine;
}

}  // namespace lapidary::cli
