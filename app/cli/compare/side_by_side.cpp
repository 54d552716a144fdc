// SPDX-License-Identifier: Apache-2.0
#include "cli/compare/side_by_side.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <lapidary/proof/compare.h>
#include <lapidary/proof/compare_variants.h>
#include <lapidary/base/error.h>
#include <lapidary/profile/session_overhead.h>
#include <lapidary/report/tensor_statistics.h>

#include "cli/output/conditions_output.h"
#include "cli/inspect/memory_text.h"

namespace lapidary::cli {
namespace {

SessionPasses passes_of(const SideRequest& request, const SideOptions& options) {
    return {session_passes_for(options.session_passes, request.level), request.disabled_passes};
}

struct Prepared {
    ReportSide side;
    NamedValues outputs;
};

Prepared profile_side(const SideRequest& request, const NamedValues& inputs,
                      const SideOptions& options, int& threads, const Progress& progress) {
    Prepared prepared;
    ReportSide& side = prepared.side;
    side.name = request.name;
    side.command = request.command;
    side.model = request.model;
    SurroundingPhases around{request.load_ns, 0, {}};
    OptimizeOptions optimizing;
    optimizing.level = request.level;
    optimizing.disabled_passes = request.disabled_passes;
    optimizing.rules = request.rules;
    OptimizeResult optimized = optimize(*request.model, optimizing, progress);
    side.model = std::make_shared<const Model>(std::move(optimized.model));
    PipelineReport report = std::move(optimized.report);
    around.optimization_ns = report.nanoseconds;
    SessionOptions session_options;
    session_options.resources = options.configuration.resources;
    session_options.enable_profiling = true;
    session_options.session_passes = passes_of(request, options);
    // Before a session copies weights, so that the figure is the one that `memory` prints.
    side.process = process_of(side.model, session_options, inputs, progress);
    std::optional<Session> session = Session::compile(side.model, session_options, progress);
    add_session_report(report, session->session_passes());
    side.passes = std::make_shared<const PipelineReport>(std::move(report));
    threads = session->threads();
    RunOptions run;
    run.cancel = progress.cancel;
    if (options.warmup > 0) {
        run.repetitions = options.warmup;
        session->run(inputs, run);
    }
    run.repetitions = options.runs;
    run.profile = true;
    RunResult result = session->run(inputs, run);
    if (!result.profile) fail(ErrorCode::internal, "the session returned no profile");
    side.executed = std::make_shared<const Model>(session->model());
    side.steps = session->plan().steps;
    around.cleanup_ns = timed_end(session);
    side.profile = with_surrounding_phases(*result.profile, around);
    prepared.outputs = std::move(result.outputs);
    return prepared;
}

/// Measures both in turn, so that other work on the machine slows both alike.
void measure_sides(ReportContent& content, const std::vector<SideRequest>& requests,
                   const NamedValues& inputs, const SideOptions& options, int threads,
                   const Progress& progress) {
    std::vector<std::unique_ptr<BenchEngine>> engines;
    std::vector<Candidate> candidates;
    RunConfiguration configuration = options.configuration;
    configuration.resources.threads = threads;
    configuration.level = Level::disabled;  // the models are optimized already
    for (std::size_t i = 0; i < content.sides.size(); ++i) {
        configuration.session_passes = passes_of(requests[i], options);
        engines.push_back(open_engine(content.sides[i].model, configuration, inputs, progress));
        candidates.push_back({configuration, engines.back().get()});
    }
    const std::vector<Measurement> measured =
        measure_interleaved(candidates, options.measuring, progress);
    for (std::size_t i = 0; i < content.sides.size(); ++i) {
        content.sides[i].measurement = measured.at(i);
        content.sides[i].measurement->configuration.level = requests[i].level;
        content.sides[i].measurement->configuration.session_passes.reset();
    }
    if (content.sides.size() == 2)
        content.difference =
            difference_between(measured[0], measured[1], true, content.sides[1].name);
}

}  // namespace

ReportContent run_sides(const std::vector<SideRequest>& requests, const GatheredInputs& gathered,
                        const SideOptions& options, const Progress& progress) {
    const NamedValues& inputs = gathered.values;
    ReportContent content;
    content.machine = machine_info();
    content.written_by = std::string("Lapidary ") + LAPIDARY_VERSION;
    const bool has_one_origin = std::ranges::all_of(
        requests, [&](const SideRequest& request) { return request.model == requests[0].model; });
    if (has_one_origin)
        content.original =
            std::make_shared<const Model>(sized_for(*requests[0].model, inputs, progress));
    content.conditions.sizes = gathered.sizes;
    std::vector<NamedValues> outputs;
    int threads = 1;
    for (const SideRequest& request : requests) {
        Prepared prepared = profile_side(request, inputs, options, threads, progress);
        content.sides.push_back(std::move(prepared.side));
        outputs.push_back(std::move(prepared.outputs));
    }
    content.conditions.threads = threads;
    content.conditions.inter_threads =
        threads_of(options.configuration.resources.nodes_at_a_time());
    if (outputs.size() == 2) {
        const Tolerance tolerance = same_result_within(options.rtol, options.atol);
        const auto run_of = [&](std::size_t i) {
            const ReportSide& side = content.sides[i];
            return VariantRun{*side.model, outputs[i], summarize(*side.profile).wall_ms};
        };
        const VariantRun reference = run_of(requests[0].level <= requests[1].level ? 0 : 1);
        content.outputs = has_one_origin ? compare_variants(run_of(1), run_of(0), reference, inputs,
                                                            tolerance, progress)
                                         : compare_outputs(outputs[1], outputs[0], tolerance);
    }
    if (options.measure) measure_sides(content, requests, inputs, options, threads, progress);
    return content;
}

std::string shell_quoted(const std::string& text) {
    const bool is_plain = !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (is_plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace lapidary::cli
