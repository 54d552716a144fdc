// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/node_times_job.h"

#include <filesystem>

#include <lapidary/bench/bench.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/internal/measurement_members.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/inputs/given_inputs.h"
#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/run_record_bytes.h"

namespace lapidary {

template <>
struct Members<ComparedEngineTimes> {
    using T = ComparedEngineTimes;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::version>("version"), member<&T::place>("place"),
        member<&T::wall_ms>("wall_ms"), member<&T::kernel_ms>("kernel_ms"));
};
template <>
struct Members<ComparedGroup> {
    using T = ComparedGroup;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::ops>("ops"), member<&T::node_names>("node_names"),
        member<&T::nodes>("nodes"), member<&T::a_ms>("a_ms"), member<&T::b_ms>("b_ms"),
        member<&T::difference>("difference"), member<&T::is_shown>("is_shown"));
};
template <>
struct Members<NodeComparison> {
    using T = NodeComparison;
    static constexpr auto list =
        members<T>(member<&T::a>("a"), member<&T::b>("b"), member<&T::pairs>("pairs"),
                   member<&T::difference>("difference"), member<&T::is_shown>("is_shown"),
                   member<&T::groups>("groups"), member<&T::sentences>("sentences"));
};
template <>
struct Members<app::NodeTimesJob> {
    using T = app::NodeTimesJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), member<&T::a>("a").required(),
                   member<&T::b>("b").required(), member<&T::settings>("settings").required(),
                   member<&T::seconds>("seconds"), member<&T::pairs>("pairs"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

bool is_of_plugin(const Recipe& recipe) { return recipe.runs_on && recipe.runs_on->plugin_engine; }

ComparedEngine compared_engine(const Recipe& recipe, const RunSettings& settings,
                               const Limits& limits) {
    ComparedEngine engine;
    engine.level = recipe.runLevel();
    const int asked = settings.resources.threads;
    if (is_of_plugin(recipe)) {
        const bool takes_threads =
            has_engine_option(recipe.runs_on->plugin_engine->name, "intra_threads");
        engine.plugin =
            plugin_engine_options(*recipe.runs_on, engine.level, takes_threads ? asked : 0);
    } else if (recipe.runsInOtherEngine()) {
        engine.onnxruntime = onnxruntime_options(*recipe.runs_on, engine.level,
                                                 asked > 0 ? asked : machine_info().cores);
    } else {
        engine.session = session_options(settings, recipe.sessionPasses());
        engine.session.limits = limits;
        place_on(engine.session, recipe.runs_on);
    }
    return engine;
}

/// That both engines read, in the form that engines of plugins need where one is a plugin's.
std::filesystem::path file_for_both(const NodeTimesJob& job, const std::filesystem::path& folder,
                                    const Progress& progress) {
    ModelSource source = job.model;
    source.recipe = Recipe();
    source.recipe->runs_on = is_of_plugin(job.a) ? job.a.runs_on : job.b.runs_on;
    return engine_file(source, folder, progress);
}

}  // namespace

NodeComparison NodeTimesJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = session_options(settings, {}).free_dimensions;
    generate.cancel = progress.cancel;
    const NamedValues inputs = inputs_of(*model.model, settings.given, generate);
    const ScratchFolder folder;
    NodeComparisonOptions options;
    options.seconds = seconds;
    options.pairs = pairs;
    return compare_nodes(model.model, file_for_both(*this, folder.path(), progress),
                         compared_engine(a, settings, context.limits),
                         compared_engine(b, settings, context.limits), inputs, options, progress);
}

SharedMemory NodeTimesJob::block_of(const NodeComparison& found) {
    return written_block([&](ByteWriter& out) { write_described(out, found); });
}

NodeComparison NodeTimesJob::complete(ByteReader& block, const Progress&) const {
    return read_described<NodeComparison>(block);
}

template <>
const JobKind& kind_of<NodeTimesJob>() {
    static const KindOf<NodeTimesJob> kind;
    return kind;
}

}  // namespace lapidary::app
