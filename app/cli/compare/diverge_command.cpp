// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/inspect/first_difference.h>

#include "cli/command.h"
#include "cli/compare/recorded_divergence.h"
#include "cli/engines/engine_job.h"
#include "cli/exit_code.h"
#include "cli/options/engine_options.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/measuring_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/run_options.h"
#include "cli/options/session_options.h"
#include "cli/output/conditions_output.h"
#include "cli/output/divergence_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct DivergeOptions {
    std::vector<std::string> models;  // one or two
    std::vector<Level> levels;        // none, one for both, or one for each
    std::vector<RuleText> rules;      // of both, or of B alone: see has_rules_in_b_alone()
    std::optional<bool> session_passes;
    ModelRunOptions running;  // inputs, threads and the other engine
    double rtol = same_result.rtol, atol = same_result.atol;
    std::int64_t slice_megabytes = 256;
    std::string output;              // of A; empty: all
    std::filesystem::path recorded;  // a recording instead of A
    bool is_engine_first = false;    // the other engine runs A
};

/// One side as it was loaded.
struct LoadedSide {
    std::string model, how;  // as named; "level disabled", "onnxruntime at level all"
    Level level = Level::disabled;
    bool is_engine = false;
    DivergenceSide side;
};

/// One model at one level in this program: what its rules do is searched.
bool has_rules_in_b_alone(const DivergeOptions& options) {
    return !options.rules.empty() && options.models.size() == 1 && options.levels.size() < 2 &&
           !options.running.engine.is_other() && options.recorded.empty();
}

constexpr const char* diverge_notes = R"(
Runs A and B on the same inputs and compares every value that both have: matched by name, by the name of its node,
and, where exporters gave other names, by structure. If any differs, both run again while each node of B reads the
values of A: so the first node is found that makes another output of the same inputs, and growing differences behind
it, or of rounding, are blamed on nothing. What differs about the node follows: operator, opset, attribute, weight.
Both run in lockstep, so that nothing is kept. One model with --level twice compares levels; with --engine, this
program and another engine, which gets values as outputs, as many at a time as --slice-mb allows. Without --level
models run as their files have them, the other engine at its level all. --rules are of both sides that this program
runs; of one model at one level they are of B alone.
--recorded compares one model with a recording of its framework, which record.py writes (see `record`), or with what
another engine dumped under the names of the model: results that Polygraphy saved (.json, its inputs beside them in
one folder), a folder of ONNX Runtime's node outputs (.tensorproto or .pb), an .npz of values by name. The first value
that differs is named, and the nodes that lead to it from values that agree. Inputs that the recording lacks are given
by --input and --inputs.
Exit code 1 when a node was found that differs; with --recorded, when a recorded value or an output differs.)";

class DivergeCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Find the first node at which two models, levels or engines differ",
                .notes = diverge_notes,
                .examples = {"lapidary-cli diverge old.onnx new.onnx",
                             "lapidary-cli diverge net.onnx --level disabled --level all",
                             "lapidary-cli diverge net.onnx --engine onnxruntime --json",
                             "lapidary-cli diverge net.onnx --recorded run.npz"},
                .program_example = "lapidary-cli diverge old.onnx new.onnx"};
    }

    void declare(OptionList& options) override {
        options
            .value("models", "A B", options_.models,
                   "Two ONNX model files, or one with --level twice, --rules, --engine or "
                   "--recorded; or "
                   "sample:NAME")
            .required()
            .at_most(2)
            .suggest(model_suggestions());
        add_channel_block(options, options_.running.level.channel_block);
        add_two_levels(options, options_.levels,
                       "Of A, then of B; given once: of both. Disabled unless given");
        add_rules(options, options_.rules);
        add_session_passes(options, options_.session_passes);
        add_tolerance(options, options_.rtol, options_.atol);
        add_threads(options, options_.running.resources.threads);
        add_config(options, options_.running.resources.config);
        add_provider_options(options, options_.running.providers);
        add_engine_options(options, options_.running.engine);
        options.flag("--engine-first", options_.is_engine_first,
                     "The other engine runs A and this program B; else the other way round");
        options
            .value("--recorded", "F", options_.recorded,
                   "Instead of A: a recording of record.py, or a dump of another engine; file or "
                   "folder")
            .suggest_files({"npz", "json"});
        slice_ = &options
                      .value("--slice-mb", "N", options_.slice_megabytes,
                             "Of another engine: megabytes of values at a time, 256 unless given")
                      .between(1, 1 << 20);
        options.value("--of-output", "NAME", options_.output,
                      "An output of A: only what it is computed from is compared");
        add_input_options(options, options_.running.inputs);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const bool has_engine = options_.running.engine.is_other();
        if (options_.is_engine_first && !has_engine)
            throw UsageError("--engine-first needs --engine");
        if (slice_->is_given() && !has_engine) throw UsageError("--slice-mb needs --engine");
        if (!options_.recorded.empty()) return against_recording(has_engine, terminal);
        if (options_.models.size() == 1 && options_.levels.size() < 2 && !has_engine &&
            !has_rules_in_b_alone(options_))
            throw UsageError(
                "nothing to compare: give two models, or one with --level twice, --rules, "
                "--engine or --recorded");
        EngineRecord record;
        LoadedSide a = load(0, record, terminal), b = load(1, record, terminal);
        const GatheredInputs inputs =
            gather_inputs(*a.side.model, options_.running.inputs, terminal.cancel);
        DivergenceOptions finding;
        finding.tolerance = same_result_within(options_.rtol, options_.atol);
        finding.output = options_.output;
        finding.is_one_model = options_.models.size() == 1;
        finding.slice_bytes = static_cast<std::uint64_t>(options_.slice_megabytes) << 20;
        const Divergence found =
            find_first_difference(a.side, b.side, inputs.values, finding, terminal.progress());
        report(terminal, a, b, inputs, found, record);
        return found.verdict == DivergenceVerdict::differs ? exit_check_failed : exit_fine;
    }

private:
    int against_recording(bool has_engine, Terminal& terminal) const {
        if (options_.models.size() > 1 || options_.levels.size() > 1 || has_engine)
            throw UsageError(
                "--recorded takes the place of A: give one model, at most one "
                "--level and no --engine");
        if (!options_.output.empty())
            throw UsageError(
                "--of-output names an output of A, which --recorded takes the place of: leave it "
                "out, all that the recording has is compared");
        RecordedDivergence recorded;
        recorded.model = options_.models[0];
        recorded.recording = options_.recorded;
        recorded.level.level = options_.levels.empty() ? Level::disabled : options_.levels[0];
        recorded.level.rules = options_.rules;
        recorded.level.session_passes = options_.session_passes;
        recorded.level.channel_block = options_.running.level.channel_block;
        recorded.running = options_.running;
        recorded.rtol = options_.rtol;
        recorded.atol = options_.atol;
        return diverge_from_recording(recorded, terminal);
    }

    LoadedSide load(std::size_t index, EngineRecord& record, Terminal& terminal) {
        LoadedSide loaded;
        loaded.model = options_.models[std::min(index, options_.models.size() - 1)];
        loaded.is_engine =
            options_.running.engine.is_other() && (index == 0) == options_.is_engine_first;
        const bool is_given = !options_.levels.empty();
        if (is_given) loaded.level = options_.levels[std::min(index, options_.levels.size() - 1)];
        LevelOptions level;
        // the other engine optimizes the file by itself
        level.level = loaded.is_engine ? Level::disabled : loaded.level;
        const bool has_rules = !loaded.is_engine && (index == 1 || !has_rules_in_b_alone(options_));
        if (has_rules) level.rules = options_.rules;
        level.session_passes = options_.session_passes;
        level.channel_block = options_.running.level.channel_block;
        LoadedModel model = load_at_level(loaded.model, level, terminal.progress());
        terminal.note(model.layout_note);
        if (!level.rules.empty() &&
            std::ranges::none_of(model.report.passes, [](const PassRun& run) {
                return run.level == Level::user && run.applied > 0;
            }))
            terminal.note("no rule of --rules applies to " + quote(loaded.model));
        loaded.side.model = model.model;
        if (loaded.is_engine) {
            ModelRunOptions running = options_.running;
            running.model = loaded.model;
            running.level.level = is_given ? loaded.level : default_run_level;
            loaded.level = *running.level.level;
            loaded.side.engine = engine_run_of(running, custom_operators, record, terminal);
            loaded.how = options_.running.engine.option().substr(9) + " at level " +
                         std::string(name_of(loaded.level));
            return loaded;
        }
        SessionOptions& session = loaded.side.session;
        session.session_passes = model.session_passes;
        // As the file has it, without wider floats either.
        if (!options_.session_passes && loaded.level < Level::extended)
            session.session_passes.set = SessionPasses::Set::none;
        session.resources = options_.running.resources;
        if (!options_.running.engine.is_other()) options_.running.providers.apply(session);
        loaded.how = "level " + std::string(name_of(loaded.level));
        for (const RuleText& rules : level.rules) loaded.how += ", rules of " + rules.file;
        return loaded;
    }

    static Json side_json(const LoadedSide& side, const EngineRecord& record) {
        return {{"model", side.model},
                {"level", name_of(side.level)},
                {"engine", side.is_engine ? record.name + " " + record.version : "Lapidary"}};
    }

    void report(Terminal& terminal, const LoadedSide& a, const LoadedSide& b,
                const GatheredInputs& inputs, const Divergence& found,
                const EngineRecord& record) const {
        const RunConditions conditions{std::nullopt, threads_of(options_.running.resources.threads),
                                       1, inputs.sizes};
        if (terminal.json) {
            Json json = {{"a", side_json(a, record)}, {"b", side_json(b, record)}};
            json.update(conditions_json(conditions));
            json.update(divergence_json(found));
            return write_json(terminal.out, json);
        }
        print_conditions(terminal.out, conditions);
        terminal.out << "A        " << plain(a.model) << ", " << plain(a.how) << '\n';
        terminal.out << "B        " << plain(b.model) << ", " << plain(b.how) << '\n';
        print_lines(terminal.out,
                    lines_of(found, same_result_within(options_.rtol, options_.atol)));
    }

    DivergeOptions options_;
    Option* slice_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> diverge_command() { return std::make_unique<DivergeCommand>(); }

}  // namespace lapidary::cli
