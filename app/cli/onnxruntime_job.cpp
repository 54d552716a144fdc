// SPDX-License-Identifier: Apache-2.0
#include "cli/onnxruntime_job.h"

#include <lapidary/scratch_folder.h>

#include "cli/model_argument.h"
#include "cli/usage_error.h"
#include "cli/value_text.h"

namespace lapidary::cli {
namespace {

/// What is this program's alone.
void check_counterparts(const ModelRunOptions& options) {
    const auto refuse = [](const char* name) {
        throw UsageError(std::string(name) + " is an option of this program's engine; --engine onnxruntime has none "
                                             "like it");
    };
    if (!options.level.recipe.empty()) refuse("--recipe");
    if (options.level.session_passes) refuse("--session-passes");
}

OnnxRuntimeOptions engine_options(const ModelRunOptions& options, const std::vector<std::string>& custom_operators) {
    OnnxRuntimeOptions engine;
    engine.place = options.engine.place;
    engine.level = options.level.level.value_or(Level::all);
    engine.disabled_optimizers = options.level.disabled_passes;
    engine.intra_threads = options.intra_threads;
    engine.providers = onnxruntime_providers(options.providers);
    engine.fallback = options.providers.fallback;
    engine.config = options.config;
    for (const auto& [key, value] : options.engine.config) engine.config[key] = value;
    engine.custom_operators = {custom_operators.begin(), custom_operators.end()};
    engine.provider_libraries = {options.engine.provider_libraries.begin(), options.engine.provider_libraries.end()};
    return engine;
}

}  // namespace

OnnxRuntimeJob run_in_onnxruntime(const ModelRunOptions& options, const std::vector<std::string>& custom_operators,
                                  OnnxRuntimeRuns runs, Terminal& terminal) {
    check_counterparts(options);
    const Progress progress = terminal.progress();
    OnnxRuntimeJob job;
    job.model = std::make_shared<const Model>(
        load_model_argument(options.model.string(), options.level.channel_block, progress));
    job.inputs = gather_inputs(*job.model, options.inputs, terminal.cancel);
    const ScratchFolder folder;
    const std::filesystem::path file = model_file_of(options.model.string(), 0, folder.path(), progress);
    runs.inputs = job.inputs.values;
    job.record = run_onnxruntime(*job.model, file, engine_options(options, custom_operators), runs, progress);
    return job;
}

std::string engine_name(const OnnxRuntimeRecord& record) { return "ONNX Runtime " + record.version; }

Json engine_json(const OnnxRuntimeRecord& record) {
    return {{"name", "onnxruntime"},
            {"version", record.version},
            {"path", record.path.string()},
            {"load_ms", json_number(record.load_ms)},
            {"run_ms", json_number(record.run_ms)},
            {"session_bytes", record.memory.session_bytes},
            {"run_bytes", record.memory.run_bytes},
            {"log", record.log}};
}

void print_engine(Terminal& terminal, const OnnxRuntimeRecord& record) {
    terminal.out << "engine  " << engine_name(record) << " (" << plain(record.path.string()) << ")\n";
    for (const std::string& line : record.log) terminal.note("ONNX Runtime says: " + plain(line));
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
