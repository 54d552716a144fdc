// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/engine_run.h"

#include <algorithm>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/exec/executed_model.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/engines/plugin_engine.h>
#include <lapidary/passes/user_rules.h>

#include "worker/inputs/given_inputs.h"
#include "worker/inputs/output_check.h"
#include "worker/protocol/bytes/run_record_bytes.h"

namespace lapidary::app {
namespace {

OnnxRuntimeOptions onnxruntime_of(const ModelSource& source, int threads) {
    OnnxRuntimeOptions options =
        onnxruntime_options(*source.recipe->runs_on, source.recipe->runLevel(), threads);
    for (const std::string& name : source.recipe->disabled_passes)
        if (!name.starts_with(user_pass_prefix)) options.disabled_optimizers.push_back(name);
    return options;
}

EngineRecord run_source(const Model& model, const ModelSource& source, int threads,
                        const EngineRuns& runs, const Progress& progress) {
    const ScratchFolder folder;
    const std::filesystem::path file = engine_file(source, folder.path(), progress);
    const RunsOn& on = *source.recipe->runs_on;
    if (on.plugin_engine)
        return run_plugin_engine(model, file,
                                 plugin_engine_options(on, source.recipe->runLevel(), threads),
                                 runs, progress);
    return run_onnxruntime(model, file, onnxruntime_of(source, threads), runs, progress);
}

}  // namespace

bool runs_in_other_engine(const ModelSource& source) {
    return source.recipe && source.recipe->runsInOtherEngine();
}

RunRecord profile_in_engine(const ModelSource& source, const RunSettings& settings,
                            const Progress& progress) {
    RunRecord record;
    record.model = source.model;
    record.executed = std::make_shared<const Model>(executed_model(
        *source.model, session_options(settings, source.session_passes()), progress));
    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = session_options(settings, {}).free_dimensions;
    generate.cancel = progress.cancel;
    record.inputs = inputs_of(*source.model, settings.given, generate);
    const EngineRuns runs{record.inputs, settings.warmups, std::max(1, settings.repetitions), true};
    EngineRecord ran =
        run_source(*record.executed, source, settings.resources.threads, runs, progress);
    record.outputs = std::move(ran.outputs);
    if (const NamedValues expected =
            expected_values(*source.model, settings.given, progress.cancel);
        !expected.empty()) {
        progress.step("compare with the recorded outputs");
        record.check = check_outputs(record.outputs, expected, same_result);
    }
    record.placement = std::move(ran.placement);
    record.match = std::move(ran.match);
    progress.step("summarize");
    record.profile = std::move(ran.profile);
    record.summary = summarize(*record.profile);
    return record;
}

NamedValues outputs_in_engine(const ModelSource& source, const RunSettings& settings,
                              const NamedValues& inputs, const Progress& progress) {
    return run_source(*source.model, source, settings.resources.threads, {inputs, 0, 1, false},
                      progress)
        .outputs;
}

std::filesystem::path engine_file(const ModelSource& source, const std::filesystem::path& folder,
                                  const Progress& progress) {
    const Recipe& recipe = *source.recipe;
    const bool is_as_opened = recipe.dimensions.empty() && recipe.rules.empty() &&
                              recipe.base().isOriginal() && source.channel_block == 0;
    const bool reads_onnx_alone = recipe.runs_on && recipe.runs_on->plugin_engine;
    if (is_as_opened && !source.file.empty() && !(reads_onnx_alone && is_ort_format(source.file)))
        return source.file;
    return file_for_engine(*source.model, folder, progress);
}

std::unique_ptr<BenchEngine> open_in_engine(const ModelSource& source,
                                            const RunConfiguration& configuration,
                                            const NamedValues& inputs,
                                            const std::filesystem::path& file,
                                            const CancelToken& cancel) {
    const RunsOn& on = *source.recipe->runs_on;
    const Level level = source.recipe->runLevel();
    if (on.plugin_engine) {
        const bool takes_threads = has_engine_option(on.plugin_engine->name, "intra_threads");
        const int threads = takes_threads ? configuration.resources.threads : 0;
        return open_plugin_engine(file, plugin_engine_options(on, level, threads), inputs, cancel);
    }
    RunConfiguration at_level = configuration;
    at_level.level = level;
    return open_onnxruntime_engine(file, with_configuration(onnxruntime_of(source, 0), at_level),
                                   inputs, cancel);
}

std::unique_ptr<BenchEngine> open_swept(const ModelSource& source,
                                        const RunConfiguration& configuration,
                                        const NamedValues& inputs,
                                        const std::filesystem::path& file,
                                        const CancelToken& cancel) {
    const RunsOn& on = *source.recipe->runs_on;
    if (!on.plugin_engine) {
        const OnnxRuntimeOptions options =
            with_configuration(onnxruntime_of(source, 0), configuration);
        return open_onnxruntime_engine(file, options, inputs, cancel);
    }
    const PluginEngineOptions options =
        with_configuration(plugin_engine_options(on, Level::all, 0), configuration);
    return open_plugin_engine(file, options, inputs, cancel);
}

}  // namespace lapidary::app
