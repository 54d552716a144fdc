// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/tensor/tensor_file.h>

#include "cli/command.h"
#include "cli/engines/engine_job.h"
#include "cli/exit_code.h"
#include "cli/models/model_argument.h"
#include "cli/options/input_options.h"
#include "cli/options/level_options.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/run_options.h"
#include "cli/options/session_options.h"
#include "cli/output/conditions_output.h"
#include "cli/output/inspection_text.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct InspectCommandOptions {
    ModelRunOptions running;
    ValueChoice choice;
    int bins = 16;
    std::string slice;            // of each value, to show; empty: nothing is shown
    std::filesystem::path saved;  // .npz or .npy; empty: nothing is written
    std::int64_t slice_megabytes = 256;
    int runs = 1;
};

void check_saved_file(const std::filesystem::path& path) {
    if (path.empty() || path.extension() == ".npz" || path.extension() == ".npy") return;
    throw UsageError("--save: expected a file ending in .npz, or .npy for one value, found " +
                     quote(path.string()));
}

/// Throws invalid_input for a chosen value that the file has and the model at its level does not,
/// with the pass that took it away.
void check_still_there(const LoadedModel& loaded, const ValueChoice& choice) {
    const Graph& now = loaded.model->graph;
    const Graph& before = loaded.original->graph;
    for (const std::string& name : choice.values) {
        const ValueId id = before.find_value(name);
        if (!id || now.find_value(name)) continue;
        std::string reason = "a pass took it away";
        const NodeId producer = before.value(id).producer;
        for (const AppliedRewrite& applied : loaded.report.rewrites)
            if (producer && std::ranges::find(applied.rewrite.removed, producer) !=
                                applied.rewrite.removed.end()) {
                reason = "pass " + applied.rewrite.pass + " replaced its node (" +
                         applied.rewrite.remark + ")";
                break;
            }
        fail_input("value " + quote(name) + " is in the file, but not in the model at level " +
                   std::string(name_of(loaded.report.level)) + ": " + reason +
                   "; without --level it is there");
    }
}

/// Writes what was kept. Throws UsageError where a .npy cannot hold it.
void save_values(const std::filesystem::path& path, const Inspection& inspection) {
    NamedValues arrays;
    for (const InspectedValue& value : inspection.values)
        if (value.kept.is_tensor()) arrays.emplace_back(value.full_name(), value.kept);
    if (path.extension() == ".npz") return save_npz(path, arrays);
    if (arrays.size() != 1)
        throw UsageError("--save " + path.string() + ": a .npy holds one value, " +
                         std::to_string(arrays.size()) + " were chosen; name a .npz");
    save_npy(path, arrays[0].second.tensor());
}

constexpr const char* inspect_notes = R"(
A value is looked at when its node has run and is then released: any number of them takes no more memory than a
plain run. Only what --slice or --save asks for is kept.
The model runs as its file has it, one kernel per node, so that every value is there; --level and --session-passes
on show what is left of it then. Names may have * and ?. Values in bodies of If, Loop and Scan are named with or
without their path and come once for each iteration; functions are expanded, so that a name within one stands for that
value in each call ("call/value").
--runs shows how values change from input to input: run K has inputs generated from --seed + K, and each value comes
once for each run. `generate --watch` does so over the tokens of an answer.
"beyond f16" is the share of elements that float16 rounds to infinity or to 0; "beyond bf16" of bfloat16.
With --engine the values become outputs of the model, as many at a time as --slice-mb allows.)";

TensorSlice slice_of_option(const std::string& text) {
    try {
        return parse_slice(text);
    } catch (const Error& error) { throw UsageError("--slice: " + error.message()); }
}

class InspectCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Look at values inside of a model: range, NaN, zeros, elements",
                .notes = inspect_notes,
                .examples = {"lapidary-cli inspect net.onnx --value \"*Softmax*\"",
                             "lapidary-cli inspect bert.onnx --scope /encoder/layer.0 --json",
                             "lapidary-cli inspect net.onnx --node conv1 --slice 0,3,:,:",
                             "lapidary-cli inspect net.onnx --value \"*\" --save values.npz"},
                .program_example = "lapidary-cli inspect model.onnx --value \"*Softmax*\""};
    }

    void declare(OptionList& options) override {
        ModelRunOptions& running = options_.running;
        add_model(options, running.model);
        add_names(options, "--value", "NAME", options_.choice.values,
                  "A value by its name or a pattern of it; may be repeated");
        add_names(options, "--node", "NODE", options_.choice.nodes,
                  "What a node writes, by its name or a pattern of it; may be repeated");
        add_names(options, "--scope", "SCOPE", options_.choice.scopes,
                  "What nodes write whose names begin with the scope; may be repeated");
        options
            .value("--iteration", "N", options_.choice.iteration,
                   "Of values in bodies: this iteration alone, from 0")
            .not_negative();
        options.value("--slice", "SLICE", options_.slice,
                      "Show the elements of this part of each value: for each axis, from the "
                      "outermost, an element (3, -1) or a range (2:5, 2:, :5, :); 0,:,2:5. Axes "
                      "that are left out are taken whole; no steps, ... or None");
        options
            .value("--save", "F.npz", options_.saved,
                   "Write the values, or their slices, to this archive; one value to a .npy")
            .suggest_files({"npz", "npy"});
        options
            .value("--runs", "N", options_.runs,
                   "Look at N runs, each with other generated inputs; 1 unless given")
            .between(1, 100'000);
        options.value("--bins", "N", options_.bins, "Bins of each histogram, 16 unless given")
            .between(1, 4096);
        slice_ = &options
                      .value("--slice-mb", "N", options_.slice_megabytes,
                             "Of another engine: megabytes of values at a time, 256 unless given")
                      .between(1, 1 << 20);
        add_input_options(options, running.inputs);
        add_threads(options, running.resources.threads);
        add_config(options, running.resources.config);
        add_provider_options(options, running.providers);
        add_engine_options(options, running.engine);
        add_level_options(options, running.level);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        const ValueChoice& choice = options_.choice;
        if (choice.values.empty() && choice.nodes.empty() && choice.scopes.empty())
            throw UsageError("--value, --node or --scope is required");
        if (slice_->is_given() && !options_.running.engine.is_other())
            throw UsageError("--slice-mb needs --engine");
        check_saved_file(options_.saved);
        check_several_runs();
        check_output_files({options_.saved});
        InspectOptions inspecting;
        inspecting.choice = choice;
        inspecting.bins = options_.bins;
        inspecting.keeps = !options_.saved.empty();
        if (!options_.slice.empty()) inspecting.slice = slice_of_option(options_.slice);
        return options_.running.engine.is_other() ? inspect_in_engine(inspecting, terminal)
                                                  : inspect(inspecting, terminal);
    }

private:
    static void add_names(OptionList& options, const std::string& name, const std::string& value,
                          std::vector<std::string>& names, const std::string& help) {
        options
            .take_all(
                name, value, [&names](const std::vector<std::string>& given) { names = given; },
                help)
            .repeatable();
    }

    void check_several_runs() const {
        if (options_.runs == 1) return;
        if (!options_.saved.empty())
            throw UsageError("--runs: --save writes the values of one run alone");
        if (options_.running.engine.is_other())
            throw UsageError("--runs is an option of this program's engine; " +
                             options_.running.engine.option() + " has none like it");
    }

    /// The inputs of a run. Throws UsageError where none of them is generated, so that every run
    /// would be the same.
    GatheredInputs inputs_of(const Model& model, int run, const CancelToken& cancel) const {
        InputOptions options = options_.running.inputs;
        options.seed += static_cast<std::uint64_t>(run);
        GatheredInputs inputs = gather_inputs(model, options, cancel);
        const auto is_generated = [](const auto& source) {
            return source.second.starts_with("generated");
        };
        if (options_.runs > 1 && std::ranges::none_of(inputs.sources, is_generated))
            throw UsageError("--runs: no input is generated, so that every run is the same");
        return inputs;
    }

    int inspect(InspectOptions& inspecting, Terminal& terminal) {
        const Progress progress = terminal.progress();
        ModelRunOptions& running = options_.running;
        const bool has_level = running.level.level || !running.level.recipe.empty();
        if (!has_level) running.level.level = Level::disabled;
        LoadedModel loaded = load_at_level(running.model, running.level, progress, true,
                                           !running.providers.wanted.empty());
        terminal.note(loaded.layout_note);
        check_still_there(loaded, inspecting.choice);
        loaded.original = nullptr;
        const GatheredInputs inputs = inputs_of(*loaded.model, 0, terminal.cancel);
        SessionOptions& session = inspecting.session;
        session.session_passes = loaded.session_passes;
        if (!running.level.session_passes) session.session_passes.set = SessionPasses::Set::none;
        session.resources = running.resources;
        running.providers.apply(session);
        const auto next = [&](int run) {
            return run == 0 ? inputs.values : inputs_of(*loaded.model, run, terminal.cancel).values;
        };
        const Inspection inspection =
            inspect_runs(loaded.model, options_.runs, next, inspecting, progress);
        report(terminal, inspection,
               conditions_of(loaded.report.level, session, inspection.threads, inputs.sizes), {});
        return exit_fine;
    }

    int inspect_in_engine(const InspectOptions& inspecting, Terminal& terminal) {
        const Progress progress = terminal.progress();
        ModelRunOptions& running = options_.running;
        EngineJob job;
        const EngineRun engine = engine_run_of(running, custom_operators, job.record, terminal);
        job.model = std::make_shared<const Model>(
            load_model_argument(running.model.string(), running.level.channel_block, progress));
        job.inputs = gather_inputs(*job.model, running.inputs, terminal.cancel);
        const Inspection inspection =
            inspect_values_in(engine, job.model, job.inputs.values, inspecting,
                              static_cast<std::uint64_t>(options_.slice_megabytes) << 20, progress);
        if (!terminal.json) print_engine(terminal, job.record);
        report(terminal, inspection, conditions_of(job, running), engine_json(job, running.engine));
        return exit_fine;
    }

    void report(Terminal& terminal, const Inspection& inspection, const RunConditions& conditions,
                const std::optional<Json>& engine) const {
        if (!options_.saved.empty()) save_values(options_.saved, inspection);
        const bool has_tables = !options_.slice.empty();
        if (terminal.json) {
            Json json = {{"file", options_.running.model.string()}};
            json.update(conditions_json(conditions));
            json.update(inspection_json(inspection, has_tables));
            if (!options_.saved.empty()) json["saved"] = options_.saved.string();
            if (engine) json["engine"] = *engine;
            return write_json(terminal.out, json);
        }
        print_conditions(terminal.out, conditions);
        print_inspection(terminal.out, inspection, has_tables);
        if (!options_.saved.empty())
            terminal.out << "wrote " << plain(options_.saved.string()) << '\n';
    }

    InspectCommandOptions options_;
    Option* slice_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> inspect_command() { return std::make_unique<InspectCommand>(); }

}  // namespace lapidary::cli
