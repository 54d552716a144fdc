// SPDX-License-Identifier: Apache-2.0
#include "cli/engines/engine_job.h"

#include <lapidary/exec/compute.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/engines/plugin_engine.h>
#include <lapidary/internal/scratch_folder.h>
#include <lapidary/onnx_io/model_io.h>

#include "cli/engines/plugin_engine_name.h"
#include "cli/output/conditions_output.h"
#include "cli/models/model_argument.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

/// Refuses options that only this program or only ONNX Runtime has.
void check_counterparts(const ModelRunOptions& options) {
    const auto refuse = [&](const char* name) {
        throw UsageError(std::string(name) + " is an option of this program's engine; " +
                         options.engine.option() + " has none like it");
    };
    if (!options.level.recipe.empty()) refuse("--recipe");
    if (options.level.session_passes) refuse("--session-passes");
    if (!options.level.rules.empty()) refuse("--rules");
    if (options.resources.config.contains(std::string(compute_key))) refuse("--compute");
    if (!options.engine.of_plugin) return;
    require_plugin_engine(options.engine.of_plugin->name);
    const auto refuse_theirs = [&](const char* name) {
        throw UsageError(
            std::string(name) + " is no option of " + options.engine.option() +
            "; those of an engine of a plugin are given as --engine NAME:KEY=VALUE,...");
    };
    if (!options.providers.wanted.empty()) refuse_theirs("--provider");
    if (!options.level.disabled_passes.empty()) refuse_theirs("--disable-pass");
    if (!options.resources.config.empty()) refuse_theirs("--config");
    if (!options.engine.config.empty()) refuse_theirs("--ort-config");
    if (!options.engine.provider_libraries.empty()) refuse_theirs("--ort-provider-library");
    if (!options.engine.place.empty()) refuse_theirs("--onnxruntime");
}

PluginEngineOptions plugin_engine_options(const ModelRunOptions& options) {
    PluginEngineOptions engine;
    engine.engine = options.engine.of_plugin->name;
    engine.options = options.engine.of_plugin->options;
    engine.level = options.level.level;
    engine.resources = options.resources;
    return engine;
}

OnnxRuntimeOptions onnxruntime_options(const ModelRunOptions& options,
                                       const std::vector<std::string>& custom_operators) {
    OnnxRuntimeOptions engine;
    engine.place = options.engine.place;
    engine.level = options.level.level.value_or(default_run_level);
    engine.disabled_optimizers = options.level.disabled_passes;
    engine.resources = options.resources;
    engine.providers = onnxruntime_providers(options.providers);
    engine.fallback = options.providers.fallback;
    for (const auto& [key, value] : options.engine.config) engine.resources.config[key] = value;
    engine.custom_operators = {custom_operators.begin(), custom_operators.end()};
    engine.provider_libraries = {options.engine.provider_libraries.begin(),
                                 options.engine.provider_libraries.end()};
    return engine;
}

}  // namespace

EngineJob run_in_engine(const ModelRunOptions& options,
                        const std::vector<std::string>& custom_operators, EngineRuns runs,
                        Terminal& terminal) {
    check_counterparts(options);
    const Progress progress = terminal.progress();
    EngineJob job;
    job.model = std::make_shared<const Model>(
        load_model_argument(options.model.string(), options.level.channel_block, progress));
    job.inputs = gather_inputs(*job.model, options.inputs, terminal.cancel);
    const ScratchFolder folder;
    const std::filesystem::path file = model_file_of(
        options.model.string(), 0, folder.path(), progress, options.engine.of_plugin.has_value());
    runs.inputs = job.inputs.values;
    job.record =
        options.engine.of_plugin
            ? run_plugin_engine(*job.model, file, plugin_engine_options(options), runs, progress)
            : run_onnxruntime(*job.model, file, onnxruntime_options(options, custom_operators),
                              runs, progress);
    return job;
}

EngineRun engine_run_of(const ModelRunOptions& options,
                        const std::vector<std::string>& custom_operators, EngineRecord& record,
                        Terminal& terminal) {
    check_counterparts(options);
    return [&record, &terminal, options, custom_operators](const Model& model,
                                                           const NamedValues& inputs) {
        const Progress progress = terminal.progress();
        const ScratchFolder folder;
        EngineRuns runs;
        runs.inputs = inputs;
        if (options.engine.of_plugin) {
            const std::filesystem::path file = file_for_engine(model, folder.path(), progress);
            record = run_plugin_engine(model, file, plugin_engine_options(options), runs, progress);
        } else {
            const std::filesystem::path file = folder.path() / "model.onnx";
            save_model(model, file, {}, progress);
            record = run_onnxruntime(model, file, onnxruntime_options(options, custom_operators),
                                     runs, progress);
        }
        return std::move(record.outputs);
    };
}

void set_swept_engine(SweepOptions& sweeping, const ModelRunOptions& options,
                      const std::vector<std::string>& custom_operators,
                      const std::filesystem::path& file) {
    if (!options.engine.is_other()) return options.providers.apply(sweeping.session);
    check_counterparts(options);
    if (options.engine.of_plugin) {
        sweeping.open = [file, engine = plugin_engine_options(options)](
                            const RunConfiguration& configuration, const NamedValues& inputs,
                            const Progress& progress) {
            return open_plugin_engine(file, with_configuration(engine, configuration), inputs,
                                      progress.cancel);
        };
        return;
    }
    sweeping.open = [file, engine = onnxruntime_options(options, custom_operators)](
                        const RunConfiguration& configuration, const NamedValues& inputs,
                        const Progress& progress) {
        return open_onnxruntime_engine(file, with_configuration(engine, configuration), inputs,
                                       progress.cancel);
    };
}

RunConditions conditions_of(const EngineJob& job, const ModelRunOptions& options) {
    RunConditions conditions{options.level.level, threads_of(options.resources.threads), 1,
                             job.inputs.sizes};
    if (!options.engine.of_plugin && !conditions.level) conditions.level = default_run_level;
    return conditions;
}

std::string engine_name(const EngineRecord& record) { return record.name + " " + record.version; }

Json engine_json(const EngineJob& job, const EngineOptions& engine) {
    const EngineRecord& record = job.record;
    return {{"name", engine.of_plugin ? record.name : "onnxruntime"},
            {"version", record.version},
            {"path", record.path.string()},
            {"load_ms", json_number(record.load_ms)},
            {"run_ms", json_number(record.run_ms)},
            {"session_bytes", record.memory.session_bytes},
            {"run_bytes", record.memory.run_bytes},
            {"log", record.log}};
}

void print_engine(Terminal& terminal, const EngineRecord& record) {
    terminal.out << "engine  " << plain(engine_name(record)) << " (" << plain(record.path.string())
                 << ")\n";
    for (const std::string& line : record.log) terminal.note(record.name + " says: " + plain(line));
}

double known_share(const Profile& profile) {
    double known = 0, all = 0;
    for (const Span& span : profile.kernels) {
        if (span.depth > 0 || span.kind == EventKind::copy) continue;
        all += static_cast<double>(span.duration_ns());
        if (span.node) known += static_cast<double>(span.duration_ns());
    }
    return all > 0 ? known / all : 1;
}

}  // namespace lapidary::cli
