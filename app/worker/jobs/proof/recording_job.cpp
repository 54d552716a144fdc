// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/proof/recording_job.h"

#include <lapidary/base/error.h>
#include <lapidary/inspect/recording_check.h>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/found_line_members.h"
#include "worker/protocol/run_record.h"

namespace lapidary {

template <>
struct Members<app::CheckedRecording> {
    using T = app::CheckedRecording;
    static constexpr auto list = members<T>(
        member<&T::agrees>("agrees"), member<&T::outputs>("outputs"), member<&T::lines>("lines"),
        member<&T::value>("value"), member<&T::node>("node"));
};
template <>
struct Members<app::RecordingJob> {
    using T = app::RecordingJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::recording>("recording").required(),
        member<&T::threads>("threads").within(0, app::most_run_threads));
};

}  // namespace lapidary

namespace lapidary::app {

CheckedRecording RecordingJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    progress.step("read the recording");
    const Recording recorded = load_recording(recording, most_recorded_bytes, progress.cancel);
    RecordingCheckOptions options;
    // Values inside of fused nodes would not exist.
    options.session.session_passes.set = SessionPasses::Set::none;
    options.session.resources.threads = threads;
    options.session.limits = context.limits;
    const RecordingCheck check = check_recording(model.model, recorded, options, progress);
    if (!check.has_compared()) fail_input(check.nothing_compared());
    CheckedRecording found;
    found.agrees = !check.outputs.empty() && check.outputs_agree();
    for (const CheckedRecordedOutput& output : check.outputs)
        found.outputs.push_back({output.name, output.comparison});
    found.lines = lines_of(recorded, check);
    if (check.first) {
        found.value = check.modules[*check.first].value;
        found.node = check.modules[*check.first].node;
    }
    return found;
}

template <>
const JobKind& kind_of<RecordingJob>() {
    static const KindOf<RecordingJob> kind;
    return kind;
}

}  // namespace lapidary::app
