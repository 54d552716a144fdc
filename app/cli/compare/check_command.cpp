// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include <lapidary/proof/compare.h>
#include <lapidary/proof/compare_variants.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/inspect/recording_check.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/user_rules.h>
#include <lapidary/inputs/odd_inputs.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/bench/repeated_run.h>

#include "cli/command.h"
#include "cli/compare/recorded_check.h"
#include "cli/compare/recorded_divergence.h"
#include "cli/output/divergence_text.h"
#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/provider_options.h"
#include "cli/options/session_options.h"
#include "cli/run/compute_choice.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"
#include "worker/inputs/input_files.h"
#include "worker/inputs/output_check.h"

namespace lapidary::cli {
namespace {

struct CheckOptions {
    std::filesystem::path model;
    std::filesystem::path inputs, expected;  // two .npz archives, or
    std::filesystem::path case_folder;       // a test_data_set_N folder, or
    std::filesystem::path recorded;          // what record.py wrote, or another engine dumped
    double rtol = 1e-3, atol = 1e-5;
    RunResources resources;
    ProviderOptions providers;
    LevelOptions level;
};

using app::OutputCheck;
using app::CheckedOutput;

/// A run of the model at one level, compared with the expected outputs.
struct LevelCheck {
    PipelineReport report;
    int threads = 0;
    OutputCheck result;
    std::optional<LoweredPrecision> lowered;
    std::optional<ComputeChoice> choice;  // with --compute auto
    ModelPtr model;
    NamedValues outputs;
    double run_ms = 0;
    VariantRun variant() const { return {*model, outputs, run_ms}; }
};

/// Why outputs differ: the file itself, optimizing, rounding (sums in another order, whose
/// differences the model amplifies), or --compute.
enum class Cause : std::uint8_t { file, optimizing, rounding, compute };

struct CheckResult {
    LevelCheck check;
    UsualSizes sizes;
    std::optional<OutputCheck> at_disabled;  // set if outputs differ and the level is not disabled
    bool is_rounding = false;                // the difference of the level is rounding
    bool is_compute = false;                 // with exact weights all outputs agree
    std::optional<Cause> cause() const {
        if (check.result.passes()) return std::nullopt;
        if (is_compute) return Cause::compute;
        if (!at_disabled || !at_disabled->passes()) return Cause::file;
        return is_rounding ? Cause::rounding : Cause::optimizing;
    }
};

std::string_view words_for(Cause cause) {
    switch (cause) {
    case Cause::file: return "the file: they differ at level disabled, one kernel per node, too";
    case Cause::optimizing:
        return "the optimizing: at level disabled, one kernel per node, all outputs agree; "
               "lapidary-cli bisect "
               "finds the rewrite";
    case Cause::compute:
        return "--compute: with weights as the model has them all outputs agree at the same level";
    case Cause::rounding: break;
    }
    return "rounding: at level disabled all outputs agree, and the model itself moves as far when "
           "its sums run in "
           "another order; no rewrite is wrong";
}

std::string_view cause_name(Cause cause) {
    return cause == Cause::file         ? "file"
           : cause == Cause::optimizing ? "optimizing"
           : cause == Cause::compute    ? "compute"
                                        : "rounding";
}

Json check_json(const CheckOptions& options, const CheckResult& whole) {
    const OutputCheck& result = whole.check.result;
    Json json = {{"file", options.model.string()},
                 {"passes", result.passes()},
                 {"rtol", options.rtol},
                 {"atol", options.atol},
                 {"outputs", outputs_json(result.verdicts)}};
    json["unchecked"] = result.unchecked;
    json.update(conditions_json({whole.check.report.level, whole.check.threads, 1, whole.sizes}));
    if (whole.at_disabled)
        json["at_disabled"] = {{"passes", whole.at_disabled->passes()},
                               {"outputs", outputs_json(whole.at_disabled->verdicts)}};
    if (const auto cause = whole.cause(); cause && options.recorded.empty())
        json["cause"] = cause_name(*cause);
    if (whole.check.choice) json["compute_choice"] = compute_json(*whole.check.choice);
    if (whole.check.lowered) json["lowered_precision"] = lowered_json(*whole.check.lowered);
    return json;
}

/// A row for each output, why outputs differ, and which were not compared.
void print_output_rows(std::ostream& out, const OutputCheck& result) {
    std::vector<std::string> titles{"output", "type"};
    titles.insert(titles.end(), comparison_columns().begin(), comparison_columns().end());
    TextTable table(titles, {0, 1, titles.size() - 1});
    for (const CheckedOutput& v : result.verdicts) {
        std::vector<std::string> row{plain(v.name), plain(v.type)};
        std::ranges::move(comparison_cells(v.comparison), std::back_inserter(row));
        table.add(std::move(row));
    }
    if (!result.verdicts.empty()) table.print(out, "");
    for (const CheckedOutput& v : result.verdicts)
        if (!v.comparison.matches)
            out << plain(v.name) << ": " << plain(v.comparison.reason) << '\n';
    for (const std::string& name : result.unchecked)
        out << plain(name) << ": not checked, the reference holds nothing for it\n";
}

void print_check(std::ostream& out, const CheckOptions& options, const OutputCheck& result) {
    print_output_rows(out, result);
    const std::size_t failed = result.differing();
    out << fmt::format("{}: {} of {} (rtol {:g}, atol {:g})\n", failed ? "FAILED" : "PASSED",
                       result.verdicts.size() - failed,
                       count_text(std::ssize(result.verdicts), "output agrees", "outputs agree"),
                       options.rtol, options.atol);
}

constexpr const char* check_notes = R"(
Use it to validate an export: run the original model in its framework, store inputs and outputs
with numpy.savez("in.npz", **{"input name": array}) and numpy.savez("out.npz", ...), then
  lapidary-cli check model.onnx --inputs in.npz --expected out.npz --rtol 1e-3 --atol 1e-5
An element differs when |actual - expected| > atol + rtol * (|expected| + w * usual). `usual` is what the
output's elements weigh: four times the median of those that are not 0, at most the largest; w is 0.1 for
float32 and float64, 4 for float16, 16 for bfloat16 and float8. An atol other than 0.00001 counts in full;
0.00001 counts as far as the output's elements are of that size: of float32 and float64 at most rtol * usual,
or 1e-6 of the largest element, or 5e-7, whichever is most. NaN equals NaN and an infinity itself.
8-bit integers that span 16 values or more may be one step apart, other integers as far as atol; strings
and booleans must be equal. compare, bench, bisect and the guard of optimize know the same rule. Per
output the largest difference, its share of the largest element, the signal to noise ratio and the cosine
are shown.
--recorded takes what record.py wrote beside the original model (see `record`): its inputs and outputs, and what
each module gave, by which the first module is named that the export computes otherwise. The model then runs as its
file has it, one kernel per node, unless --level or --session-passes say otherwise. The outputs alone decide the
verdict and the exit code; where none was compared, the values inside do. `diverge --recorded` ends with 1 for a
value inside that differs in any case. Where nothing could be compared, the exit code is 3.
Item i of a sequence output S is the array "S[i]"; a map M is "M.keys" and "M.values". Outputs
without reference are listed and not checked. Exit code 1 when an output differs; without --recorded the model
then runs at level disabled too, with --compute with exact weights first, and the verdict says whether the file, the
optimizing, rounding or --compute makes the difference.)";

class CheckCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary =
                "Validate a model against reference outputs, e.g. of the framework it was exported "
                "from",
            .notes = check_notes,
            .program_example = "lapidary-cli check model.onnx --inputs in.npz --expected out.npz"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        Option& inputs = add_input_archive(options, options_.inputs, "Inputs by name");
        Option& expected =
            options.value("--expected", "F.npz", options_.expected, "Reference outputs by name")
                .suggest_files({"npz"});
        Option& folder =
            options
                .value("--case", "DIR", options_.case_folder,
                       "An ONNX test_data_set_N folder with input_K.pb and output_K.pb")
                .suggest_folders();
        Option& recorded =
            options
                .value("--recorded", "F", options_.recorded,
                       "A recording that record.py wrote (see `record`), or values that another "
                       "engine dumped (see `diverge`)")
                .suggest_files({"npz", "json"})
                .excludes(inputs)
                .excludes(folder);
        inputs.needs(expected).excludes(folder);
        expected.needs(inputs).excludes(folder);
        add_tolerance(options, options_.rtol, options_.atol);
        add_threads(options, options_.resources.threads);
        add_compute(options, options_.resources.config).excludes(recorded);
        add_provider_options(options, options_.providers);
        add_level_options(options, options_.level);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (!options_.recorded.empty()) return check_recorded(terminal);
        if (options_.inputs.empty() && options_.case_folder.empty())
            throw UsageError("either --inputs with --expected, --recorded, or --case, is required");
        const Progress progress = terminal.progress();
        LoadedModel loaded = load(options_.level, terminal);
        terminal.note(loaded.layout_note);
        app::TestCase test;
        if (options_.case_folder.empty()) {
            test.inputs = app::load_input_archive(*loaded.model, options_.inputs, terminal.cancel);
            test.expected = load_npz(options_.expected, {{}, terminal.cancel, {}});
        } else {
            test = app::load_test_case(*loaded.model, options_.case_folder);
        }
        CheckResult whole;
        whole.sizes = usual_sizes(*loaded.model, {}, test.inputs);
        whole.check = check_at(std::move(loaded), test, options_.resources, terminal);
        RunResources exact = options_.resources;
        exact.config.clear();
        if (!whole.check.result.passes() && whole.check.lowered &&
            options_.providers.wanted.empty())
            whole.is_compute =
                check_at(load(options_.level, terminal), test, exact, terminal).result.passes();
        if (!whole.check.result.passes() && !whole.is_compute &&
            (whole.check.report.level != Level::disabled || !options_.level.rules.empty())) {
            LevelOptions plain = options_.level;
            plain.level = Level::disabled;
            plain.recipe.clear();
            plain.rules.clear();
            std::erase_if(plain.disabled_passes, [](const std::string& pass) {
                return pass.starts_with(user_pass_prefix);
            });
            const LevelCheck disabled = check_at(load(plain, terminal), test, exact, terminal);
            whole.at_disabled = disabled.result;
            const VariantRun reference = disabled.variant();
            const Tolerance tolerance = same_result_within(options_.rtol, options_.atol);
            whole.is_rounding =
                disabled.result.passes() &&
                all_match(compare_variants(whole.check.variant(), reference, reference, test.inputs,
                                           tolerance, progress));
        }
        report(terminal, whole);
        return whole.check.result.passes() ? exit_fine : exit_check_failed;
    }

private:
    LoadedModel load(const LevelOptions& level, Terminal& terminal) const {
        return load_at_level(options_.model, level, terminal.progress(), false,
                             !options_.providers.wanted.empty());
    }

    int check_recorded(Terminal& terminal) {
        const Recording recording =
            load_recording(options_.recorded, most_recorded_bytes, terminal.cancel);
        LevelOptions level = options_.level;
        if (!level.level && level.recipe.empty()) level.level = Level::disabled;
        const LoadedModel loaded = load(level, terminal);
        terminal.note(loaded.layout_note);
        RecordingCheckOptions checking;
        checking.tolerance = same_result_within(options_.rtol, options_.atol);
        checking.session.session_passes = loaded.session_passes;
        if (!level.session_passes) checking.session.session_passes.set = SessionPasses::Set::none;
        checking.session.resources = options_.resources;
        options_.providers.apply(checking.session);
        const RecordingCheck found =
            check_recorded_file(loaded.model, recording, options_.recorded, checking, terminal);
        const CheckResult whole = result_of(found, loaded, recording);
        const bool passes = passes_recording(found);
        if (terminal.json) {
            Json json = check_json(options_, whole);
            json["passes"] = passes;
            json["recording"] = recording_json(recording, found);
            write_json(terminal.out, json);
        } else {
            print_conditions(terminal.out, {loaded.report.level, found.threads, 1, whole.sizes});
            if (found.has_compared_outputs()) {
                print_check(terminal.out, options_, whole.check.result);
            } else {
                print_output_rows(terminal.out, whole.check.result);
                terminal.out << fmt::format(
                    "{}: no output was compared; {} (rtol {:g}, atol {:g})\n",
                    passes ? "PASSED" : "FAILED",
                    passes ? "the values inside agree" : "a value inside differs", options_.rtol,
                    options_.atol);
            }
            print_lines(terminal.out, lines_of(recording, found));
        }
        return passes ? exit_fine : exit_check_failed;
    }

    /// Outputs decide; where none was compared, the values inside.
    static bool passes_recording(const RecordingCheck& found) {
        return found.outputs_agree() && (found.has_compared_outputs() || !found.first);
    }

    static CheckResult result_of(const RecordingCheck& found, const LoadedModel& loaded,
                                 const Recording& recording) {
        CheckResult whole;
        whole.sizes = usual_sizes(*loaded.model, {}, recorded_inputs(*loaded.model, recording));
        whole.check.report.level = loaded.report.level;
        whole.check.threads = found.threads;
        for (const CheckedRecordedOutput& output : found.outputs)
            whole.check.result.verdicts.push_back({output.name, output.type, output.comparison});
        whole.check.result.unchecked = found.unchecked;
        return whole;
    }

    LevelCheck check_at(LoadedModel loaded, const app::TestCase& test,
                        const RunResources& resources, Terminal& terminal) const {
        const Progress progress = terminal.progress();
        SessionOptions session_options;
        session_options.session_passes = loaded.session_passes;
        session_options.resources = resources;
        options_.providers.apply(session_options);
        auto choice = settle_compute(loaded.model, session_options, test.inputs, progress);
        Session session = Session::compile(loaded.model, session_options, progress);
        std::vector<NamedValues> others{changed_inputs(test.inputs)};
        for (OddInputs& odd : odd_inputs(*loaded.model, test.inputs, 0, terminal.cancel))
            others.push_back(std::move(odd.inputs));
        const RepeatedRun run = run_repeatedly(session, test.inputs, others, terminal.cancel);
        const Tolerance tolerance = same_result_within(options_.rtol, options_.atol);
        LevelCheck check{std::move(loaded.report),
                         session.threads(),
                         app::check_outputs(run.first, test.expected, tolerance),
                         {},
                         std::move(choice),
                         loaded.model,
                         run.first,
                         run.last_ms};
        // If only a later run is wrong, its figures count.
        OutputCheck later = app::check_outputs(run.last, test.expected, tolerance);
        if (check.result.passes() && !later.passes()) check.result = std::move(later);
        check.lowered = measure_lowered_precision(loaded.model, session_options, test.inputs,
                                                  run.first, progress);
        return check;
    }

    void report(Terminal& terminal, const CheckResult& whole) const {
        if (terminal.json) return write_json(terminal.out, check_json(options_, whole));
        print_conditions(terminal.out,
                         {whole.check.report.level, whole.check.threads, 1, whole.sizes});
        terminal.out << "level  " << level_text(whole.check.report) << '\n';
        print_check(terminal.out, options_, whole.check.result);
        if (const auto cause = whole.cause())
            terminal.out << "outputs differ because of " << words_for(*cause) << '\n';
        if (whole.check.choice) print_compute(terminal.out, *whole.check.choice);
        if (whole.check.lowered)
            terminal.out << "precision  " << plain(text_of(*whole.check.lowered)) << '\n';
    }

private:
    CheckOptions options_;
};

}  // namespace

std::unique_ptr<Command> check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace lapidary::cli
