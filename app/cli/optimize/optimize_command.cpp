// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/export/export_model.h>
#include <lapidary/proof/guard.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/user_rules.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/report/pipeline_json.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/scratch_folder.h>

#include "cli/command.h"
#include "cli/optimize/edit_lines.h"
#include "cli/optimize/explanation.h"
#include "cli/output/guard_text.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/models/model_at_level.h"
#include "cli/options/engine_options.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/release_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"
#include "worker/models/edited_export.h"

namespace lapidary::cli {
namespace {

struct OptimizeCommandOptions {
    std::filesystem::path model, output;  // empty output: nothing is written
    ExportOptions exporting;
    SaveOptions saving;
    std::optional<bool> session_passes;  // empty: the level decides
    bool explain = false, guard = false;
    std::filesystem::path report;  // JSON to write; empty: none
    double rtol = 1e-3, atol = 1e-5;
    int seeds = 2;        // of the guard
    InputOptions inputs;  // inputs of the guard from files
    int intra_threads = 0;
    std::int64_t channel_block = 0;             // LoadOptions' own
    EngineOptions engine;                       // set to ONNX Runtime: that optimizes the model
    ProviderOptions providers;                  // its own
    ReleaseOptions release;                     // release that must be able to read the file
    std::filesystem::path edits_after;          // script for what the level made; empty: none
    std::vector<std::string> edit_after_lines;  // behind those of the script
};

/// Prints the passes of level session, which do not change the file, or all others.
void print_passes(std::ostream& out, const PipelineReport& report, bool of_session) {
    TextTable table({"pass", "level", "applied", "missed", "nodes", "ms"}, {0, 1});
    bool any = false;
    for (const PassRun& run : report.passes) {
        if ((run.applied == 0 && run.missed == 0) || (run.level == Level::session) != of_session)
            continue;
        any = true;
        table.add({plain(run.pass), std::string(name_of(run.level)), std::to_string(run.applied),
                   std::to_string(run.missed), fmt::format("{:+}", run.node_change),
                   fmt::format("{:.2f}", static_cast<double>(run.nanoseconds) / 1e6)});
    }
    if (any) table.print(out);
}

/// "33 nodes, 6 of them added by the export": nodes after optimizing, and those that the file
/// format needs.
std::string written_text(const ExportResult& result) {
    const std::size_t left = result.report.nodes_after, written = count_nodes(result.model.graph);
    std::string text = fmt::format("{} {}", written, written == 1 ? "node" : "nodes");
    if (written > left) text += fmt::format(", {} of them added by the export", written - left);
    if (written < left) text += fmt::format(", {} fewer by the export", left - written);
    return text;
}

void print_summary(std::ostream& out, const OptimizeCommandOptions& options,
                   const app::EditedExport& made) {
    const ExportResult& result = made.exported;
    const PipelineReport& report = result.report;
    out << fmt::format("{} ({} {}, {:.1f} ms)\n", level_text(report), report.sweeps,
                       report.sweeps == 1 ? "sweep" : "sweeps",
                       static_cast<double>(report.nanoseconds) / 1e6);
    if (!options.explain) print_passes(out, report, false);
    if (made.unedited)
        out << fmt::format("then edited by {}, which {} results\n",
                           count_text(std::ssize(made.edits.lines), "line"),
                           made.edits.keeps_results ? "should keep" : "may change");
    if (const PassTotals totals = totals_of(report); totals.session_rewrites > 0) {
        out << fmt::format(
            "a session that runs it goes on, on its own copy: {} nodes became {} in {} {}\n",
            report.nodes_after, totals.session_nodes, totals.session_rewrites,
            totals.session_rewrites == 1 ? "rewrite" : "rewrites");
        if (!options.explain) print_passes(out, report, true);
    }
    if (!result.upgraded.empty())
        out << fmt::format("changed {} on the way to opset {}\n",
                           count_text(std::ssize(result.upgraded), "node"), result.model.opset());
    if (!result.lowered.empty())
        out << fmt::format("wrote out {} in ONNX operators\n",
                           count_text(std::ssize(result.lowered), "node"));
    for (const std::string& note : result.notes) out << "note  " << plain(note) << '\n';
}

Json export_json(const OptimizeCommandOptions& options, const app::EditedExport& made,
                 const TimeShares& shares) {
    const ExportResult& result = made.exported;
    Json json = {{"file", options.model.string()},
                 {"output", options.output.string()},
                 {"target", nullptr},
                 {"opset", result.model.opset()}};
    if (options.exporting.target) json["target"] = info_of(*options.exporting.target).name;
    json["nodes"] = count_nodes(result.model.graph);
    json["lowered"] = result.lowered.size();
    json["upgraded"] = result.upgraded.size();
    json["mended"] = result.mended.size();
    json["notes"] = result.notes;
    if (made.unedited)
        json["edits_after"] = {{"lines", made.edits.lines.size()},
                               {"keeps_results", made.edits.keeps_results}};
    json["report"] = json_from_text(pipeline_json(result.report, &result.model, shares), "report");
    return json;
}

void check_outputs(const OptimizeCommandOptions& options) {
    std::error_code ignored;
    const bool is_itself = std::filesystem::equivalent(options.model, options.output, ignored);
    if (is_itself && !options.saving.overwrite_source)
        fail_input(quote(options.output.string(), 4096) +
                   " is the model itself: choose another file, or allow it with --overwrite");
    check_output_files({is_itself ? std::filesystem::path() : options.output, options.report});
}

constexpr const char* optimize_notes = R"(
Levels are ONNX Runtime's: basic keeps to ONNX operators, extended fuses to those of ONNX Runtime, all adds
the memory layout of this CPU. Names of passes may be ONNX Runtime's; "lapidary-cli passes" lists them.
Passes of level session are those of whoever runs the model here: explained, never written to OUT.
Targets: portable refuses operators that not every ONNX Runtime has; plain writes ONNX Runtime's operators
out in ONNX ones; cpu stamps the metadata with what it is made for. What does not fit is named with its reason.
Files that end in .ort are in ONNX Runtime's own format: your own ONNX Runtime writes the optimized model.
Exit code 1 when the guard finds a difference.)";

class OptimizeCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Optimize a model, explain every rewrite, prove the result and write it",
            .notes = optimize_notes,
            .examples =
                {"lapidary-cli optimize net.onnx -o fast.onnx --guard",
                 "lapidary-cli optimize net.onnx --explain --disable-pass GeluFusion",
                 "lapidary-cli optimize net.onnx -o theirs.onnx --engine onnxruntime --level all",
                 "lapidary-cli optimize net.onnx -o net.ort --guard",
                 "lapidary-cli optimize net.onnx -o net.plain.onnx --target plain --dim batch=1 "
                 "--opset 21"},
            .program_example =
                "lapidary-cli optimize model.onnx -o fast.onnx --level extended --guard --explain"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        Option& output = add_output(options, "OUT", options_.output, {"onnx", "ort"},
                                    "Model file to write; without it nothing is written. One that "
                                    "ends in .ort is in ONNX Runtime's "
                                    "own format, written by your own ONNX Runtime");
        declare_optimization(options);
        options.flag("--explain", options_.explain,
                     "Print the rewrites by pass and the near misses with their reasons");
        options
            .value("--report", "F.json", options_.report,
                   "Write passes, rewrites and near misses as JSON")
            .suggest_files({"json"});
        declare_guard(options);
        declare_export(options, output);
        add_provider_options(options, options_.providers);
        add_engine_options(options, options_.engine, true);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.engine.of_plugin)
            throw UsageError(options_.engine.option() +
                             ": engines of plugins write no optimized model; expected "
                             "lapidary or onnxruntime");
        check_ort_format();
        const EditScript edits = read_edit_lines(options_.edits_after, options_.edit_after_lines);
        if (options_.engine.onnxruntime) return optimize_in_onnxruntime(terminal);
        const Progress progress = terminal.progress();
        options_.exporting.release = options_.release.minor();
        const Model model =
            load_model_argument(options_.model.string(), options_.channel_block, progress);
        check_outputs(options_);
        note_unknown_operators(terminal);
        if (options_.inputs.is_given() && !options_.guard)
            throw UsageError(
                "--input, --inputs: are what the guard runs on, which --guard asks for");
        SessionOptions opened;
        if (!options_.providers.wanted.empty()) {
            options_.providers.apply(opened);  // reports mistakes in name and options
            options_.exporting.optimize.provider =
                app::passes_for(options_.providers.wanted.front());
        }
        app::EditedExport made = app::export_edited(model, options_.exporting, edits, progress);
        ExportResult& result = made.exported;
        const OptimizeOptions& optimizing = options_.exporting.optimize;
        const SessionPasses::Set session_passes =
            session_passes_for(options_.session_passes, optimizing.level);
        if (!optimizing.stop_after)
            explain_session_passes(result.model, optimizing, session_passes, result.report,
                                   progress);
        const TimeShares shares =
            estimated_shares(result.model, optimizing.free_dimensions, progress);
        if (!options_.report.empty())
            save_pipeline_json(result.report, options_.report, &result.model, shares);

        std::optional<GuardReport> guarded;
        if (options_.guard) guarded = prove(model, made, session_passes, opened, terminal);
        const bool passes = !guarded || guarded->matches;
        // A model that the guard refused is not written, because a script may use any file that
        // exists.
        if (!options_.output.empty() && passes) write_result(result, progress);

        if (terminal.json) {
            Json json = export_json(options_, made, shares);
            if (guarded) json["guard"] = guard_json(*guarded);
            if (guarded && made.unedited) json["edits_after"]["guarded"] = unguarded_.empty();
            json["written"] = !options_.output.empty() && passes;
            write_json(terminal.out, json);
        } else {
            print_summary(terminal.out, options_, made);
            if (options_.explain) print_explanation(terminal.out, result.report, shares);
            if (guarded) print_guarded(terminal.out, *guarded);
            if (!options_.output.empty())
                terminal.out << (passes ? "wrote " : "did not write ")
                             << plain(options_.output.string()) << " (" << written_text(result)
                             << ")\n";
        }
        return passes ? exit_fine : exit_check_failed;
    }

private:
    void note_unknown_operators(Terminal& terminal) const {
        for (const std::string& sentence :
             unknown_rule_operators(options_.exporting.optimize.rules))
            terminal.note(sentence);
    }

    void print_guarded(std::ostream& out, const GuardReport& report) const {
        if (unguarded_.empty()) return print_guard(out, "guard", report);
        print_guard(out, "guard", report, "before the edits after the level");
        out << "  the model with its edits was not compared, because they " << unguarded_ << '\n';
    }

    /// Runs original and result on the same inputs. Edits that may change results are left out.
    GuardReport prove(const Model& model, app::EditedExport& made,
                      SessionPasses::Set session_passes, const SessionOptions& opened,
                      Terminal& terminal) {
        GuardOptions guarding;
        guarding.tolerance = same_result_within(options_.rtol, options_.atol);
        guarding.seeds.clear();
        for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(options_.seeds); ++i)
            guarding.seeds.push_back(i);
        guarding.dimensions = options_.exporting.optimize.free_dimensions;
        guarding.threads = options_.intra_threads;
        guarding.session_passes = {session_passes, options_.exporting.optimize.disabled_passes};
        if (options_.exporting.static_batch)
            guarding.dimensions = static_batch_dimensions(model, *options_.exporting.static_batch,
                                                          guarding.dimensions);
        options_.inputs.dimensions = guarding.dimensions;
        guarding.inputs = given_inputs(model, options_.inputs, terminal.cancel).values;
        guarding.providers = opened.providers;
        guarding.fallback = opened.fallback;
        if (made.unedited && !made.edits.keeps_results) unguarded_ = "may change results";
        else if (made.unedited && !has_same_interface(model, made.exported.model))
            unguarded_ = "change the names of inputs or outputs, or their order";
        if (!unguarded_.empty())
            made.exported.notes.push_back(
                "the guard compared the model before the edits after its level, because they " +
                unguarded_);
        return guard(model, unguarded_.empty() ? made.exported.model : *made.unedited, guarding,
                     terminal.progress());
    }

    bool writes_ort() const { return options_.output.extension() == ".ort"; }

    /// Refuses options that do not apply to the format of the file (ONNX Runtime's own or ONNX).
    void check_ort_format() const {
        if (writes_ort() && options_.saving.external_data_min_bytes)
            throw UsageError(
                "--external-data: a file in ONNX Runtime's own format (.ort) holds its weights "
                "itself");
        if (!options_.engine.place.empty() && !options_.engine.onnxruntime && !writes_ort())
            throw UsageError(
                "--onnxruntime: says which one writes an .ort file, or optimizes with --engine "
                "onnxruntime; found neither");
    }

    /// Writes the file and adds notes about it.
    void write_result(ExportResult& result, const Progress& progress) const {
        if (!writes_ort()) {
            for (std::string& note :
                 save_model(result.model, options_.output, options_.saving, progress))
                result.notes.push_back(std::move(note));
            return;
        }
        OnnxRuntimeOptions engine;
        engine.place = options_.engine.place;
        engine.level = Level::disabled;  // this program has optimized the model already
        engine.custom_operators = {custom_operators.begin(), custom_operators.end()};
        const OnnxRuntimeWriter writer = save_ort_model(
            result.model, options_.output, options_.saving.overwrite_source, engine, progress);
        result.notes.push_back(fmt::format(
            "written by ONNX Runtime {} ({}), with {}", writer.version, writer.path.string(),
            count_text(static_cast<std::int64_t>(writer.nodes), "node")));
    }

    /// Has ONNX Runtime optimize and write the model.
    int optimize_in_onnxruntime(Terminal& terminal) {
        if (options_.output.empty()) throw UsageError("--engine onnxruntime: -o OUT is required");
        if (!options_.edits_after.empty() || !options_.edit_after_lines.empty())
            throw UsageError(
                "--edits-after, --edit-after: are for what this program's engine makes; edit what "
                "ONNX Runtime wrote by lapidary-cli edit");
        if (!options_.exporting.optimize.rules.empty())
            throw UsageError("--rules: run in this program's engine, not in ONNX Runtime");
        if (!options_.release.version.empty())
            throw UsageError(
                "--release: is kept by exports of this program, not by --engine onnxruntime");
        const Progress progress = terminal.progress();
        check_outputs(options_);
        const ScratchFolder folder;
        OnnxRuntimeOptions engine;
        engine.place = options_.engine.place;
        engine.level = options_.exporting.optimize.level;
        engine.disabled_optimizers = options_.exporting.optimize.disabled_passes;
        engine.free_dimensions = options_.exporting.optimize.free_dimensions;
        engine.providers = onnxruntime_providers(options_.providers);
        engine.fallback = options_.providers.fallback;
        engine.resources.config = options_.engine.config;
        engine.custom_operators = {custom_operators.begin(), custom_operators.end()};
        engine.provider_libraries = {options_.engine.provider_libraries.begin(),
                                     options_.engine.provider_libraries.end()};
        const auto file =
            model_file_of(options_.model.string(), options_.channel_block, folder.path(), progress);
        const std::size_t after =
            write_onnxruntime_model(file, options_.output, engine, progress).nodes;
        const std::size_t before = load_model(file, {}, progress).graph.nodes().size();
        if (terminal.json)
            write_json(terminal.out, {{"file", options_.model.string()},
                                      {"output", options_.output.string()},
                                      {"nodes_before", before},
                                      {"nodes_after", after},
                                      {"written", true}});
        else
            terminal.out << fmt::format("ONNX Runtime, {}: {} became {}\nwrote {}\n",
                                        name_of(engine.level),
                                        count_text(static_cast<std::int64_t>(before), "node"),
                                        after, plain(options_.output.string()));
        return exit_fine;
    }

    void declare_optimization(OptionList& options) {
        OptimizeOptions& optimizing = options_.exporting.optimize;
        Option& level = add_level(
            options, "--level", [&optimizing](Level value) { optimizing.level = value; },
            "How far to go; extended unless given, all for --target cpu");
        std::vector<std::string> targets;
        for (const ExportTargetInfo& target : export_targets()) targets.emplace_back(target.name);
        options
            .take(
                "--target", "portable|plain|cpu",
                [this, &optimizing, &level](const std::string& name) {
                    options_.exporting.target = target_from_name(name);
                    if (!level.is_given())
                        optimizing.level = info_of(*options_.exporting.target).level;
                },
                "What the file is for: any ONNX Runtime, any ONNX implementation, this CPU")
            .one_of(targets);
        add_pass_choice(options, optimizing);
        add_session_passes(options, options_.session_passes);
        options
            .value("--edits-after", "FILE", options_.edits_after,
                   "A script of edits for what the level makes, as lapidary-cli edit has them for "
                   "the model itself")
            .suggest_files({"txt"});
        options
            .take_all(
                "--edit-after", "LINE",
                [this](const std::vector<std::string>& lines) {
                    options_.edit_after_lines = lines;
                },
                "An edit for what the level makes, behind those of --edits-after; may be repeated")
            .repeatable();
        options.value("--stop-after", "N", optimizing.stop_after, "Stop after so many rewrites")
            .checked_by(count_problem);
    }

    void declare_guard(OptionList& options) {
        options.flag("--guard", options_.guard,
                     "Run original and result on the same inputs and compare; nothing is written "
                     "when they differ");
        add_channel_block(options, options_.channel_block);
        add_tolerance(options, options_.rtol, options_.atol);
        options
            .value("--seeds", "N", options_.seeds,
                   "Sets of generated inputs that the guard tries, 2 unless given")
            .between(1, 1000);
        add_given_inputs(options, options_.inputs);
        add_threads(options, options_.intra_threads);
    }

    void declare_export(OptionList& options, Option& output) {
        OptimizeOptions& optimizing = options_.exporting.optimize;
        add_dimensions(options, optimizing.free_dimensions,
                       "Fix a symbolic dimension, by its name; may be repeated");
        options
            .value("--static-batch", "N", options_.exporting.static_batch,
                   "Fix the first dimension of every input")
            .positive();
        options.value("--opset", "N", options_.exporting.opset,
                      "Convert to this opset of ai.onnx, 7 to 28");
        add_release(options, options_.release,
                    "Write what this release of ONNX Runtime reads, in opset, IR version and "
                    "operators, or name the "
                    "node that keeps it from that; known are " +
                        known_releases_text());
        options
            .value("--keep-output", "NAME", optimizing.keep_outputs,
                   "Keep this output and drop those not named; may be repeated")
            .repeatable();
        options
            .value("--external-data", "MIN_BYTES", options_.saving.external_data_min_bytes,
                   "Write weights of at least so many bytes to OUT.data; above 2 GB that is done "
                   "anyway")
            .checked_by(count_problem)
            .needs(output);
        options
            .flag("--overwrite", options_.saving.overwrite_source, "Allow OUT to be MODEL itself")
            .needs(output);
    }

    OptimizeCommandOptions options_;
    /// What edits after the level do, so that the guard left them out; empty: it did not.
    std::string unguarded_;
};

}  // namespace

std::unique_ptr<Command> optimize_command() { return std::make_unique<OptimizeCommand>(); }

}  // namespace lapidary::cli
