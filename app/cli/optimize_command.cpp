// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/export_model.h>
#include <lapidary/guard.h>
#include <lapidary/model_io.h>
#include <lapidary/output_file.h>
#include <lapidary/parse_json.h>
#include <lapidary/pipeline_json.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/explanation.h"
#include "cli/guard_text.h"
#include "cli/json_output.h"
#include "cli/model_argument.h"
#include "cli/model_at_level.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

void print_summary(std::ostream& out, const OptimizeCommandOptions& options, const ExportResult& result) {
    const PipelineReport& report = result.report;
    out << fmt::format("{} ({} {}, {:.1f} ms)\n", level_text(report), report.sweeps, report.sweeps == 1 ? "sweep" : "sweeps",
                       static_cast<double>(report.nanoseconds) / 1e6);
    if (!options.explain) {
        TextTable table({"pass", "level", "applied", "missed", "nodes", "ms"}, {0, 1});
        bool any = false;
        for (const PassRun& run : report.passes) {
            if (run.applied == 0 && run.missed == 0) continue;
            any = true;
            table.add({plain(run.pass), std::string(name_of(run.level)), std::to_string(run.applied), std::to_string(run.missed),
                       fmt::format("{:+}", run.node_change), fmt::format("{:.2f}", static_cast<double>(run.nanoseconds) / 1e6)});
        }
        if (any) table.print(out);
    }
    if (!result.upgraded.empty()) out << fmt::format("changed {} nodes on the way to opset {}\n", result.upgraded.size(), result.model.opset());
    if (!result.lowered.empty()) out << fmt::format("wrote out {} nodes in ONNX operators\n", result.lowered.size());
    for (const std::string& note : result.notes) out << "note  " << plain(note) << '\n';
}

Json result_json(const OptimizeCommandOptions& options, const ExportResult& result) {
    Json json = {{"file", options.model.string()}, {"output", options.output.string()}, {"target", nullptr}, {"opset", result.model.opset()}};
    if (options.exporting.target) json["target"] = info_of(*options.exporting.target).name;
    json["lowered"] = result.lowered.size();
    json["upgraded"] = result.upgraded.size();
    json["notes"] = result.notes;
    json["report"] = parse_json(pipeline_json(result.report, &result.model), "report");
    return json;
}

void check_outputs(const OptimizeCommandOptions& options) {
    std::error_code ignored;
    const bool is_itself = std::filesystem::equivalent(options.model, options.output, ignored);
    if (is_itself && !options.saving.overwrite_source)
        fail_input(quote(options.output.string(), 4096) + " is the model itself: choose another file, or allow it with --overwrite");
    check_output_files({is_itself ? std::filesystem::path() : options.output, options.report});
}

}  // namespace

int run_optimize(const OptimizeCommandOptions& options, Terminal& terminal) {
    const Progress progress = terminal.progress();
    const Model model = load_model_argument(options.model.string(), options.channel_block, progress);
    check_outputs(options);
    const ExportResult result = export_model(model, options.exporting, progress);
    if (!options.report.empty()) save_pipeline_json(result.report, options.report, &result.model);

    std::optional<GuardReport> guarded;
    if (options.guard) {
        GuardOptions guarding;
        guarding.tolerance = {options.rtol, options.atol, true};
        guarding.seeds.clear();
        for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(options.seeds); ++i) guarding.seeds.push_back(i);
        guarding.dimensions = options.exporting.optimize.free_dimensions;
        guarding.threads = options.intra_threads;
        if (const auto batch = options.exporting.static_batch)
            guarding.dimensions = static_batch_dimensions(model, *batch, guarding.dimensions);
        guarded = guard(model, result.model, guarding, progress);
    }
    const bool passes = !guarded || guarded->matches;
    // What the guard refused is not written: a script may take the file for granted.
    if (!options.output.empty() && passes) save_model(result.model, options.output, options.saving, progress);

    if (terminal.json) {
        Json json = result_json(options, result);
        if (guarded) json["guard"] = guard_json(*guarded);
        json["written"] = !options.output.empty() && passes;
        write_json(terminal.out, json);
    } else {
        print_summary(terminal.out, options, result);
        if (options.explain) print_explanation(terminal.out, result.report);
        if (guarded) print_guard(terminal.out, "guard", *guarded);
        if (!options.output.empty()) terminal.out << (passes ? "wrote " : "did not write ") << plain(options.output.string()) << '\n';
    }
    return passes ? exit_fine : exit_check_failed;
}

}  // namespace lapidary::cli
