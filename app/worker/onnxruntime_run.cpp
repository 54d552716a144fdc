// SPDX-License-Identifier: Apache-2.0
#include "worker/onnxruntime_run.h"

#include <lapidary/executed_model.h>
#include <lapidary/generate_inputs.h>

#include "worker/run_record_bytes.h"

namespace lapidary::app {
namespace {

/// The file as it was opened where that is what runs.
std::filesystem::path file_of(const ModelSource& source, const std::filesystem::path& folder,
                              const Progress& progress) {
    const Recipe& recipe = *source.recipe;
    const bool is_as_opened = recipe.dimensions.empty() && !recipe.quantization && !recipe.other_model &&
                              source.channel_block == 0;
    if (is_as_opened && !source.file.empty()) return source.file;
    return file_for_onnxruntime(*source.model, folder, progress);
}

OnnxRuntimeOptions options_of(const ModelSource& source, int threads) {
    OnnxRuntimeOptions options = onnxruntime_options(*source.recipe->runs_on, source.recipe->level, threads);
    options.disabled_optimizers = source.recipe->disabled_passes;
    return options;
}

}  // namespace

bool runs_in_onnxruntime(const ModelSource& source) { return source.recipe && source.recipe->runsInOnnxRuntime(); }

RunRecord profile_in_onnxruntime(const ModelSource& source, const RunSettings& settings, const Progress& progress) {
    const ScratchFolder folder;
    RunRecord record;
    record.model = source.model;
    record.executed = std::make_shared<const Model>(
        executed_model(*source.model, session_options(settings, source.session_passes()), progress));
    progress.step("generate inputs");
    GenerateOptions generate;
    generate.seed = settings.seed;
    generate.dimensions = session_options(settings, {}).free_dimensions;
    generate.cancel = progress.cancel;
    record.inputs = generate_inputs(*source.model, {}, generate);
    OnnxRuntimeRuns runs{record.inputs, settings.warmups, std::max(1, settings.repetitions), true};
    OnnxRuntimeRecord ran = run_onnxruntime(*record.executed, file_of(source, folder.path(), progress),
                                            options_of(source, settings.threads), runs, progress);
    record.outputs = std::move(ran.outputs);
    record.placement = std::move(ran.placement);
    record.match = std::move(ran.match);
    progress.step("summarize");
    record.profile = std::move(ran.profile);
    record.summary = summarize(*record.profile);
    return record;
}

NamedValues outputs_in_onnxruntime(const ModelSource& source, const RunSettings& settings, const NamedValues& inputs,
                                   const Progress& progress) {
    const ScratchFolder folder;
    return run_onnxruntime(*source.model, file_of(source, folder.path(), progress),
                           options_of(source, settings.threads), {inputs, 0, 1, false}, progress)
        .outputs;
}

std::unique_ptr<BenchEngine> open_in_onnxruntime(const ModelSource& source, const RunConfiguration& configuration,
                                                 const NamedValues& inputs, const std::filesystem::path& folder,
                                                 const Progress& progress) {
    OnnxRuntimeOptions options = options_of(source, configuration.intra);
    options.inter_threads = configuration.inter;
    options.mode = configuration.mode;
    options.allow_spinning = configuration.spinning;
    return open_onnxruntime_engine(file_of(source, folder, progress), options, inputs, progress.cancel);
}

}  // namespace lapidary::app
