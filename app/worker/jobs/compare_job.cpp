// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/compare_job.h"

#include <chrono>

#include <lapidary/proof/compare_variants.h>
#include <lapidary/inputs/generate_inputs.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/run_record_bytes.h"

namespace lapidary {

template <>
struct Members<app::CompareJob> {
    using T = app::CompareJob;
    static constexpr auto list =
        members<T>(member<&T::a>("a").required(), member<&T::b>("b").required(),
                   member<&T::settings>("settings").required());
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// Variants of one model that differ in what optimizing made of it alone: rounding is all that may
/// set them apart.
bool differ_by_optimizing_alone(const ModelSource& a, const ModelSource& b) {
    const Recipe first = a.recipe.value_or(Recipe()), second = b.recipe.value_or(Recipe());
    return a.file == b.file && a.sample == b.sample && first.base() == second.base() &&
           !first.runs_on && !second.runs_on;
}

struct TimedOutputs {
    NamedValues outputs;
    double ms = 0;  // of the run
};

TimedOutputs outputs_of(const ModelSource& source, const RunSettings& settings,
                        const NamedValues& inputs, const Limits& limits,
                        const CancelToken& cancel) {
    if (runs_in_other_engine(source))
        return {outputs_in_engine(source, settings, inputs, {cancel, {}}), 0};
    SessionOptions options = session_options(settings, source.session_passes());
    options.enable_profiling = false;
    options.limits = limits;
    place_on(options, source.runs_on());
    Session session = Session::compile(source.model, options, {cancel, {}});
    RunOptions run;
    run.cancel = cancel;
    const auto start = std::chrono::steady_clock::now();
    NamedValues outputs = session.run(inputs, run).outputs;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return {std::move(outputs), took.count()};
}

}  // namespace

CompareJob::Result CompareJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = session_options(settings, {}).free_dimensions;
    generate.cancel = progress.cancel;
    progress.step("generate inputs");
    const NamedValues inputs = inputs_of(*a.model, settings.given, generate);
    progress.step("run", 0);
    const TimedOutputs of_a = outputs_of(a, settings, inputs, context.limits, progress.cancel);
    progress.step("run", 0.5);
    const TimedOutputs of_b = outputs_of(b, settings, inputs, context.limits, progress.cancel);
    progress.step("compare");
    if (!differ_by_optimizing_alone(a, b)) return compare_outputs(of_b.outputs, of_a.outputs);
    const VariantRun run_a{*a.model, of_a.outputs, of_a.ms}, run_b{*b.model, of_b.outputs, of_b.ms};
    const bool a_is_plainer =
        a.recipe.value_or(Recipe()).runLevel() <= b.recipe.value_or(Recipe()).runLevel();
    return compare_variants(run_b, run_a, a_is_plainer ? run_a : run_b, inputs, same_result,
                            progress);
}

template <>
const JobKind& kind_of<CompareJob>() {
    static const KindOf<CompareJob> kind;
    return kind;
}

}  // namespace lapidary::app
