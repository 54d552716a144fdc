// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/internal/program_file.h>

#include "worker/process/command_program.h"

#include "cli/command.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/inspect/memory_text.h"
#include "cli/models/model_inputs.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "cli/bench/process_run.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct MemoryCommandOptions {
    std::filesystem::path model;
    LevelOptions level;
    MemoryAssumptions assumptions;
    std::map<std::string, std::string> config;  // of the measured process
    bool is_measured = false;
    bool is_measured_process = false;   // this is the measured process
    std::optional<std::uint64_t> step;  // empty: the step of the peak
    std::size_t top = 20;
};

std::string_view role_name(TensorRole role) {
    return role == TensorRole::output      ? "output"
           : role == TensorRole::workspace ? "workspace"
                                           : "activation";
}

Json sizes_json(const MemoryReport& report) {
    Json sizes = Json::object();
    for (const auto& [name, size] : report.assumed) sizes[name] = size;
    return sizes;
}

Json memory_json(const MemoryCommandOptions& options, const MemoryReport& report,
                 const std::optional<MeasuredProcess>& measured, const RunConditions& conditions) {
    Json json = {{"file", options.model.string()},           {"verdict", report.verdict},
                 {"needed_bytes", report.needed_bytes},      {"held_bytes", report.block_bytes},
                 {"weight_bytes", report.weight_bytes},      {"peak_step", report.peak_step},
                 {"assumed_dimensions", sizes_json(report)}, {"unknown", report.unknown}};
    json.update(conditions_json(conditions));
    json["process"] = process_json(report.process);
    if (measured) json["measured"] = measured_json(*measured);
    json["steps"] = Json::array();
    for (std::size_t i = 0; i < report.steps.size(); ++i) {
        const MemoryMoment& m = report.moments[i];
        json["steps"].push_back({{"node", report.steps[i]},
                                 {"operator", report.step_ops[i]},
                                 {"activations", m.activations},
                                 {"outputs", m.outputs},
                                 {"workspace", m.workspace},
                                 {"waste", m.waste}});
    }
    json["tensors"] = Json::array();
    for (const TensorLifetime& t : report.tensors)
        json["tensors"].push_back({{"name", t.name},
                                   {"type", t.type},
                                   {"role", role_name(t.role)},
                                   {"bytes", t.bytes},
                                   {"address", t.offset},
                                   {"first_step", t.first_step},
                                   {"last_step", t.last_step},
                                   {"shares", t.shares},
                                   {"written_by", t.written_by},
                                   {"kept_by", t.kept_by}});
    return json;
}

void print_memory(std::ostream& out, const MemoryCommandOptions& options,
                  const MemoryReport& report) {
    const auto bytes = [](std::uint64_t count) { return byte_text(static_cast<double>(count)); };
    out << plain(report.verdict) << '\n';
    if (!report.unknown.empty()) {
        out << "only a run shows the size of " << plain(report.unknown[0]);
        if (report.unknown.size() > 1) out << " and " << report.unknown.size() - 1 << " more";
        out << "; they count as nothing\n";
    }
    if (report.steps.empty()) return;
    if (options.step && *options.step >= report.steps.size())
        fail(ErrorCode::invalid_input, "there is no step " + std::to_string(*options.step) +
                                           "; the last one is " +
                                           std::to_string(report.steps.size() - 1));
    const std::size_t step = options.step.value_or(report.peak_step);
    out << "alive at step " << step << (step == report.peak_step ? " (the peak), " : ", ")
        << plain(report.steps[step]) << '\n';
    TextTable table({"tensor", "type", "size", "written by", "kept alive until", "steps to go"},
                    {0, 1, 3, 4});
    const auto alive = report.alive_at(step);
    for (std::size_t i = 0; i < std::min(alive.size(), options.top); ++i) {
        const TensorLifetime& t = report.tensors[alive[i]];
        table.add({plain(t.name), t.type, bytes(t.bytes), plain(t.written_by),
                   t.role == TensorRole::output ? "the caller" : plain(t.kept_by),
                   std::to_string(t.last_step - step)});
    }
    table.print(out);
    if (alive.size() > options.top)
        out << "  ... " << alive.size() - options.top << " more, all with --json\n";
}

/// A switch of the what-if table, with the session's setting for it if there is one.
struct Switch {
    const char* name;
    bool MemoryAssumptions::*field;
    std::vector<std::string>
        arguments;  // arguments of the measured process; empty: no setting changes it
};

/// Runs the process of the command line with more arguments.
using MeasureWith = std::function<MeasuredProcess(const std::vector<std::string>& arguments)>;

/// Prints the memory of the process with one assumption changed; measured if `measure` is set.
void print_effects(std::ostream& out, MemoryStudy& study, const MemoryAssumptions& assumptions,
                   const MemoryReport& report, const std::optional<MeasuredProcess>& measured,
                   const MeasureWith& measure, const Progress& progress) {
    const Switch switches[] = {
        {"planned memory", &MemoryAssumptions::plan, {"--config", "enable_mem_pattern=0"}},
        {"arena", &MemoryAssumptions::arena, {"--config", "enable_cpu_mem_arena=0"}},
        {"in place", &MemoryAssumptions::in_place, {}},
        {"fused steps", &MemoryAssumptions::fused_steps, {"--session-passes", "off"}},
    };
    out << "what if\n";
    std::vector<std::string> header{"change", "process", "difference"};
    if (measured) header.emplace_back("measured");
    TextTable table(header);
    for (const Switch& turned : switches) {
        MemoryAssumptions changed = assumptions;
        changed.*turned.field = !(assumptions.*turned.field);
        const bool is_on = changed.*turned.field;
        const auto total = study.report(changed, progress).process.total();
        std::vector<std::string> row{turned.name + std::string(is_on ? " on" : " off"),
                                     byte_text(static_cast<double>(total)),
                                     byte_difference_text(report.process.total(), total)};
        if (measured)
            row.push_back(
                is_on || turned.arguments.empty()
                    ? "no setting"
                    : byte_difference_text(measured->peak.own, measure(turned.arguments).peak.own));
        table.add(std::move(row));
    }
    table.print(out);
}

class MemoryCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Say what a process that runs the model takes of the machine and why, without "
                    "running it: what it "
                    "is made of, the peak of activations, who keeps it alive, what if",
                .examples = {"lapidary-cli memory net.onnx --dim batch=8 --level all",
                             "lapidary-cli memory net.onnx --no-in-place --step 12"},
                .program_example = "lapidary-cli memory model.onnx --dim batch=8"};
    }

    void declare(OptionList& options) override {
        MemoryAssumptions& assumptions = options_.assumptions;
        add_model(options, options_.model);
        add_dimensions(options, assumptions.dimensions);
        add_threads(options, assumptions.threads);
        options.flag_off("--no-pattern", assumptions.plan,
                         "Without a planned block (enable_mem_pattern 0)");
        options.flag_off("--no-arena", assumptions.arena,
                         "Each value from the heap (enable_cpu_mem_arena 0)");
        options.flag_off("--no-in-place", assumptions.in_place,
                         "No value in the bytes of another one");
        options.flag_off("--no-fused-steps", assumptions.fused_steps,
                         "Each node in a kernel of its own");
        options
            .value("--step", "N", options_.step,
                   "List what is alive at this step instead of the peak")
            .checked_by(count_problem);
        options.value("--top", "N", options_.top, "Tensors to list, 20 unless given")
            .checked_by(count_problem);
        add_level_options(options, options_.level);
        options.flag("--measure", options_.is_measured,
                     "Also run the model in a separate process and show what the system counts "
                     "of it, and with each "
                     "switch turned (Linux, large pages off)");
        options.flag("--as-process", options_.is_measured_process, "").hidden();
        add_config(options, options_.config).hidden();
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.is_measured_process) {
            const ProcessRun measured{
                options_.model,
                options_.level,
                options_.assumptions.dimensions,
                {.threads = options_.assumptions.threads, .config = options_.config}};
            terminal.out << measured_process_text(measure_this_process(measured, terminal)) << '\n';
            return exit_fine;
        }
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(options_.model, options_.level, progress);
        terminal.note(loaded.layout_note);
        check_dimensions(loaded.model->graph, options_.assumptions.dimensions);
        MemoryAssumptions assumptions = options_.assumptions;
        assumptions.fused_steps =
            assumptions.fused_steps && loaded.session_passes.set == SessionPasses::Set::all;
        assumptions.disabled_passes = loaded.session_passes.disabled;
        MemoryStudy study(loaded.model);
        const MemoryReport report = study.report(assumptions, progress);
        std::optional<MeasuredProcess> measured;
        const auto measure = [&](const std::vector<std::string>& more) {
            progress.step("measure");
            return measure_process(measured_command(assumptions, report, more), terminal.cancel);
        };
        if (options_.is_measured) measured = measure({});
        const RunConditions conditions{loaded.report.level, report.threads, 1,
                                       usual_sizes(*loaded.model, assumptions.dimensions)};
        if (terminal.json) {
            write_json(terminal.out, memory_json(options_, report, measured, conditions));
            return exit_fine;
        }
        print_conditions(terminal.out, conditions);
        print_process(terminal.out, report, text_of(conditions), measured);
        print_memory(terminal.out, options_, report);
        print_effects(terminal.out, study, assumptions, report, measured, measure, progress);
        return exit_fine;
    }

private:
    /// The command line of a process that runs the model and measures its memory.
    std::vector<std::string> measured_command(const MemoryAssumptions& assumptions,
                                              const MemoryReport& report,
                                              const std::vector<std::string>& more) const {
        const std::string program = app::command_program();
        if (program.empty())
            fail_unsupported("only lapidary-cli measures: " + quote(program_file().string()) +
                             " is another program");
        if (!assumptions.in_place)
            throw UsageError("--measure: no setting of a session turns off what is in place");
        std::vector<std::string> command{
            program,        "memory",  options_.model.string(),
            "--as-process", "--intra", std::to_string(assumptions.threads)};
        const auto add = [&](const std::string& name, const std::string& value) {
            command.insert(command.end(), {name, value});
        };
        const bool has_passes = std::ranges::find(more, "--session-passes") != more.end();
        if (!assumptions.fused_steps && !has_passes) add("--session-passes", "off");
        else if (options_.level.session_passes && !has_passes)
            add("--session-passes", *options_.level.session_passes ? "on" : "off");
        if (options_.level.level) add("--level", std::string(name_of(*options_.level.level)));
        for (const std::string& pass : options_.level.disabled_passes) add("--disable-pass", pass);
        for (const RuleText& rules : options_.level.rules) add("--rules", rules.file);
        if (!options_.level.recipe.empty()) add("--recipe", options_.level.recipe);
        if (options_.level.channel_block != 0)
            add("--channel-block", std::to_string(options_.level.channel_block));
        for (const auto& [name, size] : assumptions.dimensions)
            add("--dim", name + "=" + std::to_string(size));
        for (const auto& [name, size] : report.assumed)
            add("--dim", name + "=" + std::to_string(size));
        if (!assumptions.plan) add("--config", "enable_mem_pattern=0");
        if (!assumptions.arena) add("--config", "enable_cpu_mem_arena=0");
        command.insert(command.end(), more.begin(), more.end());
        return command;
    }

    MemoryCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> memory_command() { return std::make_unique<MemoryCommand>(); }

}  // namespace lapidary::cli
