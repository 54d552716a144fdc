// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/advice/advice.h>
#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>

#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/side_options.h"
#include "cli/compare/report_advice.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct ChecklistOptions {
    std::filesystem::path model;        // or "sample:NAME"
    std::filesystem::path float_model;  // the model it was quantized from; empty: not known
    std::int64_t channel_block = 0;     // LoadOptions' own
    Level level = default_run_level;
    std::vector<std::string> disabled_passes;
    std::vector<RuleText> rules;
    InputOptions inputs;
    SideOptions running;
    AdviceRequest advice;
    bool runs = true, all = false;
};

constexpr const char* checklist_notes = R"(
Judges the model at the level as a session runs it. Unless --no-run is given it is profiled, measured in turn with
level disabled, and the outputs of both are compared. Gains are measured or estimated, and each says which; what gains
nothing is left out unless --all is given. Checks of the group export say what the export of the file broke or made
larger, with the first nodes; --json lists up to 20 of each. Exit code 0 whatever is found.)";

constexpr std::size_t most_places = 3;  // of a check, in text
constexpr std::size_t longest_finding = 4000;
constexpr int newest_opset = 28;  // of ai.onnx that models can be converted to

const char* mark_of(AdviceState state) {
    switch (state) {
    case AdviceState::worth_doing: return "*";
    case AdviceState::unknown: return "?";
    case AdviceState::done: return "+";
    case AdviceState::no_gain: break;
    }
    return "-";
}

std::string command_for(const Advice& advice, const std::string& model) {
    std::string command = advice.command;
    if (const std::size_t at = command.find("MODEL"); at != std::string::npos)
        command.replace(at, 5, shell_quoted(model));
    return command;
}

const char* kind_name(AdviceGain::Kind kind) {
    switch (kind) {
    case AdviceGain::Kind::none: return "none";
    case AdviceGain::Kind::time: return "time";
    case AdviceGain::Kind::memory: return "memory";
    case AdviceGain::Kind::size: break;
    }
    return "size";
}

Json gain_json(const AdviceGain& gain) {
    if (gain.kind == AdviceGain::Kind::none) return nullptr;
    Json json = {{"kind", kind_name(gain.kind)},
                 {"measured", gain.is_measured},
                 {"at_most", gain.is_limit},
                 {"share", json_number(gain.share)},
                 {"text", gain.text}};
    if (gain.kind != AdviceGain::Kind::time) json["bytes"] = gain.bytes;
    return json;
}

Json places_json(const Advice& advice) {
    Json json = Json::array();
    for (const AdvicePlace& place : advice.places)
        json.push_back({{"place", place.text}, {"reason", place.reason}});
    return json;
}

Json checklist_json(const ChecklistOptions& options, const RunConditions& conditions, bool ran,
                    const std::vector<Advice>& advice) {
    Json json = {{"file", options.model.string()}, {"ran", ran}};
    json.update(conditions_json(conditions));
    json["checks"] = Json::array();
    for (const Advice& one : advice)
        json["checks"].push_back({{"id", one.id},
                                  {"group", one.group},
                                  {"state", name_of(one.state)},
                                  {"urgent", one.is_urgent},
                                  {"title", one.title},
                                  {"finding", one.finding},
                                  {"places", places_json(one)},
                                  {"gain", gain_json(one.gain)},
                                  {"why", one.why},
                                  {"command", command_for(one, options.model.string())}});
    return json;
}

void print_checklist(std::ostream& out, const ChecklistOptions& options,
                     const RunConditions& conditions, bool ran, const std::vector<Advice>& advice) {
    out << plain(options.model.string()) << (ran ? "" : " (not run: shares are estimated)") << '\n';
    print_conditions(out, conditions);
    std::size_t left_out = 0;
    for (const Advice& one : advice) {
        if (one.state == AdviceState::no_gain && !options.all) {
            ++left_out;
            continue;
        }
        out << mark_of(one.state) << ' ' << (one.group.empty() ? "" : one.group + ": ")
            << plain(one.title);
        if (!one.gain.text.empty()) out << "  " << plain(one.gain.text);
        out << "\n    " << plain(one.finding, longest_finding) << '\n';
        // the finding names the first
        for (std::size_t i = 1; i < std::min(one.places.size(), most_places); ++i)
            out << "    " << plain(one.places[i].text) << ": "
                << plain(one.places[i].reason, longest_finding) << '\n';
        const bool open =
            one.state == AdviceState::worth_doing || one.state == AdviceState::unknown;
        if (open && !one.command.empty())
            out << "    " << plain(command_for(one, options.model.string())) << '\n';
    }
    out << "* worth doing  ? not known yet  + done";
    if (options.all) out << "  - gains nothing";
    out << '\n';
    if (left_out > 0) out << left_out << " more gain nothing here; --all says why\n";
}

class ChecklistCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Say what is worth doing with a model, ranked by what it gains, measured or "
                    "estimated",
                .notes = checklist_notes,
                .examples = {"lapidary-cli checklist net.onnx",
                             "lapidary-cli checklist net.onnx --no-run --json"},
                .program_example = "lapidary-cli checklist model.onnx"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_channel_block(options, options_.channel_block);
        add_level(
            options, "--level", [this](Level level) { options_.level = level; },
            "Of the variant judged; all unless given");
        add_disabled_passes(options, options_.disabled_passes,
                            "Leave out a pass of the level; may be repeated");
        add_rules(options, options_.rules);
        options.flag_off("--no-run", options_.runs,
                         "Look at the model alone: no times, shares are estimated");
        options.flag("--all", options_.all, "List what gains nothing, too, each with the reason");
        options
            .value("--float", "MODEL", options_.float_model,
                   "The float model that it was quantized from: timed in turn with it, each at its "
                   "level")
            .suggest_files({"onnx"});
        options
            .value("--target-opset", "N", options_.advice.target_opset,
                   "Newest opset that the runtime of the target reads")
            .between(1, newest_opset);
        options_.running.measuring.seconds = 2;
        add_side_options(options, options_.running);
        add_input_options(options, options_.inputs);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const Progress progress = terminal.progress();
        const auto [model, load_ns] =
            load_timed(options_.model.string(), options_.channel_block, progress);
        std::vector<SideRequest> sides;
        for (const Level level : {Level::disabled, options_.level})
            if (level == options_.level || options_.runs)
                sides.push_back({std::string(name_of(level)), model, level,
                                 options_.disabled_passes, "", load_ns, options_.rules});
        if (sides.size() == 2 && options_.level == Level::disabled) sides.pop_back();
        const bool can_run = facts_of(*model).unsupported.empty();
        const bool runs = options_.runs && can_run;
        const GatheredInputs inputs =
            runs ? gather_inputs(*model, options_.inputs, terminal.cancel) : GatheredInputs();
        ReportContent content = runs ? run_sides(sides, inputs, options_.running, progress)
                                     : looked_at(sides.back(), progress);
        content.conditions.level = options_.level;
        options_.advice.dimensions = options_.inputs.dimensions;
        AdviceInput known =
            advice_input(content, sides, options_.running, options_.advice, progress);
        if (runs && !options_.float_model.empty())
            time_beside_float(model, inputs.values, known, progress);
        const std::vector<Advice> advice = advise(known);
        if (terminal.json)
            write_json(terminal.out, checklist_json(options_, content.conditions, runs, advice));
        else print_checklist(terminal.out, options_, content.conditions, runs, advice);
        return exit_fine;
    }

private:
    /// Measures both at the level, in turn. All other times are of the quantized model.
    void time_beside_float(const ModelPtr& model, const NamedValues& inputs, AdviceInput& known,
                           const Progress& progress) const {
        const auto in_float = std::make_shared<const Model>(
            load_model_argument(options_.float_model.string(), options_.channel_block, progress));
        RunConfiguration configuration = options_.running.configuration;
        configuration.resources.threads = threads_of(configuration.resources.threads);
        configuration.level = options_.level;
        const auto first = open_engine(in_float, configuration, inputs, {progress.cancel, {}});
        const auto second = open_engine(model, configuration, inputs, {progress.cancel, {}});
        const std::array<Candidate, 2> candidates{
            {{configuration, first.get()}, {configuration, second.get()}}};
        const std::vector<Measurement> measured =
            measure_interleaved(candidates, options_.running.measuring, {progress.cancel, {}});
        for (const Measurement& side : measured)
            if (!side.error.empty()) fail(ErrorCode::not_supported, side.error);
        for (AdvisedTime& time : known.times) {
            time.is_quantized = true;
            if (!time.is_in_force) continue;
            const MedianEstimate& median = measured[1].wall.median;
            time = {time.name,  time.is_original, true, median.median,
                    median.low, median.high,      true};
        }
        const MedianEstimate& median = measured[0].wall.median;
        known.times.push_back({options_.float_model.filename().string(), false, false,
                               median.median, median.low, median.high, false});
        if (difference_between(measured[0], measured[1], true).significant) return;
        for (AdvisedTime& time : known.times)
            if (time.is_in_force) make_overlap(time, known.times.back());
    }

    /// The content for the last side, without a run.
    ReportContent looked_at(const SideRequest& request, const Progress& progress) const {
        ReportContent content;
        content.machine = machine_info();
        content.conditions.threads = threads_of(options_.running.configuration.resources.threads);
        content.conditions.sizes = usual_sizes(*request.model, options_.inputs.dimensions);
        OptimizeOptions optimizing;
        optimizing.level = request.level;
        optimizing.disabled_passes = request.disabled_passes;
        optimizing.rules = request.rules;
        OptimizeResult result = optimize(*request.model, optimizing, progress);
        ReportSide side;
        explain_session_passes(result.model, optimizing,
                               session_passes_for(options_.running.session_passes, request.level),
                               result.report, progress);
        side.name = request.name;
        side.model = std::make_shared<const Model>(std::move(result.model));
        side.passes = std::make_shared<const PipelineReport>(std::move(result.report));
        content.sides.push_back(std::move(side));
        return content;
    }

    ChecklistOptions options_;
};

}  // namespace

std::unique_ptr<Command> checklist_command() { return std::make_unique<ChecklistCommand>(); }

}  // namespace lapidary::cli
