// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/profiled_run.h"

#include <algorithm>

#include <lapidary/generate_inputs.h>

namespace lapidary::app {
namespace {

/// Only sizes the user fixed; 0 leaves the choice to the input generator.
std::map<std::string, std::int64_t> fixed_dimensions(const RunSettings& settings) {
    std::map<std::string, std::int64_t> fixed;
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0) fixed.emplace(name, size);
    return fixed;
}

}  // namespace

RunRecord profiledRun(const ModelPtr& model, const RunSettings& settings, const Progress& progress) {
    progress.step("compile");
    SessionOptions options;
    options.intra_threads = settings.threads;
    options.enable_profiling = true;
    options.random_seed = settings.seed;
    options.free_dimensions = fixed_dimensions(settings);
    Session session = Session::compile(model, options, progress);

    progress.step("generate inputs");
    GenerateOptions generate;
    generate.seed = settings.seed;
    generate.dimensions = options.free_dimensions;
    RunRecord record;
    record.model = model;
    record.executed = std::make_shared<const Model>(session.model());
    record.inputs = generate_inputs(*model, {}, generate);

    RunOptions run;
    run.cancel = progress.cancel;
    for (int i = 0; i < settings.warmups; ++i) {
        progress.step("warm up", double(i) / settings.warmups);
        session.run(record.inputs, run);
    }
    run.profile = true;
    run.repetitions = std::max(1, settings.repetitions);
    int finished = 0, before = 0;  // repetitions; steps count from one again in each
    run.progress = [&](int done, int total) {
        if (done < before) ++finished;
        before = done;
        if (total > 0) progress.step("run", (finished + double(done) / total) / run.repetitions);
    };
    progress.step("run", 0);
    RunResult result = session.run(record.inputs, run);

    record.outputs = std::move(result.outputs);
    record.profile = std::move(result.profile);
    if (!record.profile) fail(ErrorCode::internal, "the run returned no profile");
    progress.step("summarize");
    record.summary = summarize(*record.profile);
    record.plan = session.plan();
    return record;
}

}  // namespace lapidary::app
