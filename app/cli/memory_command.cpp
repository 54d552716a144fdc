// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/error.h>
#include <lapidary/memory_report.h>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/session_options.h"
#include "cli/options/size_options.h"
#include "cli/options/value_checks.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

struct MemoryCommandOptions {
    std::filesystem::path model;
    LevelOptions level;
    MemoryAssumptions assumptions;
    std::optional<std::uint64_t> step;    // nothing: the peak
    std::size_t top = 20;
};

std::string_view role_name(TensorRole role) {
    return role == TensorRole::output ? "output" : role == TensorRole::workspace ? "workspace" : "activation";
}

Json sizes_json(const MemoryReport& report) {
    Json sizes = Json::object();
    for (const auto& [name, size] : report.assumed) sizes[name] = size;
    return sizes;
}

Json memory_json(const MemoryCommandOptions& options, const MemoryReport& report) {
    Json json = {{"file", options.model.string()},
                 {"verdict", report.verdict},
                 {"needed_bytes", report.needed_bytes},
                 {"held_bytes", report.block_bytes},
                 {"weight_bytes", report.weight_bytes},
                 {"peak_step", report.peak_step},
                 {"assumed_dimensions", sizes_json(report)},
                 {"unknown", report.unknown}};
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

void print_memory(std::ostream& out, const MemoryCommandOptions& options, const MemoryReport& report) {
    const auto bytes = [](std::uint64_t count) { return byte_text(static_cast<double>(count)); };
    out << plain(report.verdict) << '\n';
    out << "in use at the peak " << bytes(report.needed_bytes) << "  held " << bytes(report.block_bytes) << "  weights "
        << bytes(report.weight_bytes) << '\n';
    for (const auto& [name, size] : report.assumed)
        out << "dimension " << plain(name) << " is taken as " << size << "; --dim sets it\n";
    if (!report.unknown.empty()) {
        out << "only a run tells the size of " << plain(report.unknown[0]);
        if (report.unknown.size() > 1) out << " and " << report.unknown.size() - 1 << " more";
        out << "; they count as nothing\n";
    }
    if (report.steps.empty()) return;
    if (options.step && *options.step >= report.steps.size())
        fail(ErrorCode::invalid_input, "there is no step " + std::to_string(*options.step) + "; the last one is " +
                                           std::to_string(report.steps.size() - 1));
    const std::size_t step = options.step.value_or(report.peak_step);
    out << "alive at step " << step << (step == report.peak_step ? " (the peak), " : ", ") << plain(report.steps[step])
        << '\n';
    TextTable table({"tensor", "type", "size", "written by", "kept alive until", "steps to go"}, {0, 1, 3, 4});
    const auto alive = report.alive_at(step);
    for (std::size_t i = 0; i < std::min(alive.size(), options.top); ++i) {
        const TensorLifetime& t = report.tensors[alive[i]];
        table.add({plain(t.name), t.type, bytes(t.bytes), plain(t.written_by),
                   t.role == TensorRole::output ? "the caller" : plain(t.kept_by), std::to_string(t.last_step - step)});
    }
    table.print(out);
    if (alive.size() > options.top) out << "  ... " << alive.size() - options.top << " more, all with --json\n";
}

/// What the memory held would be with one thing turned.
void print_effects(std::ostream& out, MemoryStudy& study, const MemoryAssumptions& assumptions,
                   const MemoryReport& report, const Progress& progress) {
    out << "what if\n";
    TextTable table({"change", "held", "difference"});
    const auto turn = [&](const std::string& what, bool MemoryAssumptions::*field) {
        MemoryAssumptions changed = assumptions;
        changed.*field = !(assumptions.*field);
        const auto held = study.report(changed, progress).block_bytes;
        const double difference = static_cast<double>(held) - static_cast<double>(report.block_bytes);
        table.add({what + (changed.*field ? " on" : " off"), byte_text(static_cast<double>(held)),
                   difference == 0 ? "-" : (difference > 0 ? "+" : "-") + byte_text(std::abs(difference))});
    };
    turn("planned memory", &MemoryAssumptions::plan);
    turn("arena", &MemoryAssumptions::arena);
    turn("in place", &MemoryAssumptions::in_place);
    turn("fused steps", &MemoryAssumptions::fused_steps);
    table.print(out);
}

class MemoryCommand : public Command {
public:
    CommandText text() const override {
        return {.summary =
                    "Say what a run would hold in memory and why, without running: peak, who keeps it alive, what if",
                .examples = {"lapidary-cli memory net.onnx --dim batch=8 --level all",
                             "lapidary-cli memory net.onnx --no-in-place --step 12"},
                .program_example = "lapidary-cli memory model.onnx --dim batch=8"};
    }

    void declare(OptionList& options) override {
        MemoryAssumptions& assumptions = options_.assumptions;
        add_model(options, options_.model);
        add_dimensions(options, assumptions.dimensions);
        add_threads(options, assumptions.threads);
        options.flag_off("--no-pattern", assumptions.plan, "Without a planned block (enable_mem_pattern 0)");
        options.flag_off("--no-arena", assumptions.arena, "Each value from the heap (enable_cpu_mem_arena 0)");
        options.flag_off("--no-in-place", assumptions.in_place, "No value in the bytes of another one");
        options.flag_off("--no-fused-steps", assumptions.fused_steps, "Each node in a kernel of its own");
        options.value("--step", "N", options_.step, "List what is alive at this step instead of the peak")
            .checked_by(count_problem);
        options.value("--top", "N", options_.top, "Tensors to list, 20 unless given").checked_by(count_problem);
        add_level_options(options, options_.level);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const Progress progress = terminal.progress();
        const LoadedModel loaded = load_at_level(options_.model, options_.level, progress, true);
        terminal.note(loaded.layout_note);
        MemoryAssumptions assumptions = options_.assumptions;
        assumptions.fused_steps = assumptions.fused_steps && loaded.session_passes.set == SessionPasses::Set::all;
        assumptions.disabled_passes = loaded.session_passes.disabled;
        MemoryStudy study(loaded.model);
        const MemoryReport report = study.report(assumptions, progress);
        if (terminal.json) {
            write_json(terminal.out, memory_json(options_, report));
            return exit_fine;
        }
        print_memory(terminal.out, options_, report);
        print_effects(terminal.out, study, assumptions, report, progress);
        return exit_fine;
    }

private:
    MemoryCommandOptions options_;
};

}  // namespace

std::unique_ptr<Command> memory_command() { return std::make_unique<MemoryCommand>(); }

}  // namespace lapidary::cli
