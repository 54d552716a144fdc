// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/profile_job.h"

#include <algorithm>
#include <optional>

#include <lapidary/base/error.h>
#include <lapidary/bench/run_counters.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/profile/session_overhead.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/run_record_bytes.h"

namespace lapidary {

template <>
struct Members<app::ProfileJob> {
    using T = app::ProfileJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required(),
                                            member<&T::settings>("settings").required());
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// Repetitions with a recording, after the warm-ups. `counters`: of the processor during them.
RunResult run_profiled(Session& session, const NamedValues& inputs, const RunSettings& settings,
                       const Progress& progress, RunCounters& counters) {
    RunOptions run;
    run.cancel = progress.cancel;
    for (int i = 0; i < settings.warmups; ++i) {
        progress.step("warm up", double(i) / settings.warmups);
        session.run(inputs, run);
    }
    run.profile = true;
    run.repetitions = std::max(1, settings.repetitions);
    run.keep_finished = true;
    int finished = 0, before = 0;  // repetitions; steps count from one again in each
    run.progress = [&](int done, int total) {
        if (done < before) ++finished;
        before = done;
        if (total > 0) progress.step("run", (finished + double(done) / total) / run.repetitions);
    };
    progress.step("run", 0);
    RunWatch watch;
    watch.begin();
    RunResult result = session.run(inputs, run);
    counters = watch.end(result.profile ? result.profile->runs : run.repetitions);
    return result;
}

RunRecord profile_here(const ModelSource& source, const RunSettings& settings, const Limits& limits,
                       const Progress& progress) {
    const ModelPtr& model = source.model;
    progress.step("compile");
    SessionOptions options = session_options(settings, source.session_passes());
    options.limits = limits;
    place_on(options, source.runs_on());
    std::optional<Session> session = Session::compile(model, options, progress);

    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = options.free_dimensions;
    generate.cancel = progress.cancel;
    RunRecord record;
    record.model = model;
    record.executed = std::make_shared<const Model>(session->model());
    record.inputs = inputs_of(*model, settings.given, generate);
    RunResult result =
        run_profiled(*session, record.inputs, settings, progress, record.counters.emplace());
    const bool was_cancelled = progress.cancel.is_cancelled();
    const Progress rest = progress.to_complete();

    record.outputs = std::move(result.outputs);
    if (const NamedValues expected = expected_values(*model, settings.given, progress.cancel);
        !expected.empty()) {
        rest.step("compare with the recorded outputs");
        record.check = check_outputs(record.outputs, expected, same_result);
    }
    if (!result.profile) fail(ErrorCode::internal, "the run returned no profile");
    record.plan = session->plan();
    record.placement = session->placement();
    if (!options.providers.empty() && !was_cancelled) {
        progress.step("measure what the device reaches");
        record.device_peaks = device_peaks(options.providers);
    }
    if (!was_cancelled)
        record.lowered =
            measure_lowered_precision(model, options, record.inputs, record.outputs, progress);
    rest.step("summarize");
    record.profile = with_surrounding_phases(*result.profile, {{}, {}, timed_end(session)});
    record.summary = summarize(*record.profile);
    return record;
}

}  // namespace

RunRecord ProfileJob::run(const JobContext& context) const {
    RunRecord record = runs_in_other_engine(model)
                           ? profile_in_engine(model, settings, context.progress)
                           : profile_here(model, settings, context.limits, context.progress);
    if (context.cache)
        record.profile = with_surrounding_phases(*record.profile, context.cache->times());
    return record;
}

SharedMemory ProfileJob::block_of(const RunRecord& record) { return run_record_block(record); }

RunRecord ProfileJob::complete(ByteReader& block, const Progress& progress) const {
    return read_run_record(block, model.model, progress.to_complete());
}

template <>
const JobKind& kind_of<ProfileJob>() {
    static const KindOf<ProfileJob> kind;
    return kind;
}

}  // namespace lapidary::app
