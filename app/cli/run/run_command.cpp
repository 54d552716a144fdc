// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <ostream>

#include <fmt/format.h>

#include <lapidary/proof/lowered_precision.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/exec/session.h>

#include "cli/command.h"
#include "cli/output/comparison_text.h"
#include "cli/output/conditions_output.h"
#include "cli/output/json_output.h"
#include "cli/engines/engine_job.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/run_options.h"
#include "cli/options/target_option.h"
#include "cli/output/outputs_file.h"
#include "cli/run/compute_choice.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

class Stopwatch {
public:
    /// Milliseconds since the last lap.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
        start_ = now;
        return ms;
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Times {
    double load_ms = 0, optimize_ms = 0, compile_ms = 0, run_ms = 0;
};

Json run_json(const ModelRunOptions& options, const GatheredInputs& inputs, const RunResult& result,
              const Times& times, const RunConditions& conditions,
              const std::optional<PipelineReport>& report, const CancelToken& cancel) {
    Json json = {
        {"file", options.model.string()}, {"inputs", Json::array()}, {"outputs", Json::array()}};
    json.update(conditions_json(conditions));
    for (const auto& [name, value] : inputs.values) {
        Json input = {{"name", name}, {"source", inputs.sources.at(name)}};
        input.update(json_value(value, cancel));
        json["inputs"].push_back(std::move(input));
    }
    for (const auto& [name, value] : result.outputs) {
        Json output = {{"name", name}};
        output.update(json_value(value, cancel));
        json["outputs"].push_back(std::move(output));
    }
    if (report) json["optimization"] = optimization_json(*report);
    json["time_ms"] = {{"load", times.load_ms},
                       {"optimize", times.optimize_ms},
                       {"compile", times.compile_ms},
                       {"run", times.run_ms}};
    return json;
}

void print_run(std::ostream& out, const GatheredInputs& inputs, const RunResult& result,
               const Times& times, const RunConditions& conditions,
               const std::optional<PipelineReport>& report, const CancelToken& cancel) {
    print_conditions(out, conditions);
    if (report)
        out << "level  " << level_text(*report) << fmt::format(" ({:.1f} ms)", times.optimize_ms)
            << '\n';
    out << "inputs\n";
    TextTable table({"name", "value", "from"}, {0, 1, 2});
    for (const auto& [name, value] : inputs.values)
        table.add({plain(name), plain(value.describe()), plain(inputs.sources.at(name))});
    table.print(out);
    out << "outputs\n";
    for (const auto& [name, value] : result.outputs) {
        out << "  " << plain(name) << "  " << plain(value.describe()) << '\n';
        print_value(out, value, "    ", cancel);
    }
    out << fmt::format("time  load {:.3f} ms  compile {:.3f} ms  run {:.3f} ms\n", times.load_ms,
                       times.compile_ms, times.run_ms);
}

constexpr const char* run_notes = R"(
Inputs that no file gives are generated from the seed: indices within the table they select from,
masks of ones, sizes that fit each other. Image pixels are 0..255 before --mean and --std.)";

class RunCommand : public Command {
public:
    CommandText text() const override {
        return {.summary = "Run a model once and show its outputs",
                .notes = run_notes,
                .examples =
                    {"lapidary-cli run net.onnx --input data=cat.jpg --mean 123.7,116.3,103.5 "
                     "--std 58.4,57.1,57.4",
                     "lapidary-cli run net.onnx --engine onnxruntime --provider CUDA:device_id=0 "
                     "--fallback forbid"},
                .program_example =
                    "lapidary-cli run model.onnx --dim batch=4 --seed 7 --outputs out.npz"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        add_run_options(options, options_);
        add_target(options);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.engine.is_other()) return run_other_engine(terminal);
        const Progress progress = terminal.progress();
        Stopwatch watch;
        Times times;
        LoadedModel loaded = load_at_level(options_.model, options_.level, progress, false,
                                           !options_.providers.wanted.empty());
        terminal.note(loaded.layout_note);
        times.load_ms = loaded.load_ms;
        times.optimize_ms = loaded.optimize_ms;
        const GatheredInputs inputs =
            gather_inputs(*loaded.model, options_.inputs, terminal.cancel);
        check_output_files({options_.outputs});
        check_outputs_file(options_.outputs);
        SessionOptions session_options;
        session_options.session_passes = loaded.session_passes;
        session_options.resources = options_.resources;
        options_.providers.apply(session_options);
        const auto choice = settle_compute(loaded.model, session_options, inputs.values, progress);
        watch.lap();
        Session session = Session::compile(loaded.model, session_options, progress);
        times.compile_ms = watch.lap();
        RunOptions run_options;
        run_options.cancel = terminal.cancel;
        const RunResult result = session.run(inputs.values, run_options);
        times.run_ms = watch.lap();
        if (!options_.outputs.empty()) save_outputs(options_.outputs, result.outputs);
        const auto lowered = measure_lowered_precision(loaded.model, session_options, inputs.values,
                                                       result.outputs, progress);
        const RunConditions conditions =
            conditions_of(loaded.report.level, session_options, session.threads(), inputs.sizes);
        if (terminal.json) {
            Json json = run_json(options_, inputs, result, times, conditions, loaded.report,
                                 terminal.cancel);
            if (choice) json["compute_choice"] = compute_json(*choice);
            if (lowered) json["lowered_precision"] = lowered_json(*lowered);
            write_json(terminal.out, json);
            return exit_fine;
        }
        print_run(terminal.out, inputs, result, times, conditions, loaded.report, terminal.cancel);
        if (choice) print_compute(terminal.out, *choice);
        if (lowered) terminal.out << "precision  " << plain(text_of(*lowered)) << '\n';
        return exit_fine;
    }

private:
    int run_other_engine(Terminal& terminal) {
        check_output_files({options_.outputs});
        check_outputs_file(options_.outputs);
        const EngineJob job = run_in_engine(options_, custom_operators, {}, terminal);
        RunResult result;
        result.outputs = job.record.outputs;
        const Times times{job.record.load_ms, 0, 0, job.record.run_ms};
        if (!options_.outputs.empty()) save_outputs(options_.outputs, result.outputs);
        const RunConditions conditions = conditions_of(job, options_);
        if (terminal.json) {
            Json json =
                run_json(options_, job.inputs, result, times, conditions, {}, terminal.cancel);
            json["engine"] = engine_json(job, options_.engine);
            write_json(terminal.out, json);
            return exit_fine;
        }
        print_engine(terminal, job.record);
        print_run(terminal.out, job.inputs, result, times, conditions, {}, terminal.cancel);
        return exit_fine;
    }

    ModelRunOptions options_;
};

}  // namespace

std::unique_ptr<Command> run_command() { return std::make_unique<RunCommand>(); }

}  // namespace lapidary::cli
