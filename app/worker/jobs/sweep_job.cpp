// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/sweep_job.h"

#include <lapidary/base/error.h>
#include <lapidary/internal/scratch_folder.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"

namespace lapidary {

template <>
struct Members<app::SweepJob> {
    using T = app::SweepJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::recipe>("recipe"),
        member<&T::space>("space"), member<&T::options>("options"), member<&T::given>("given"),
        member<&T::verify>("verify"), member<&T::found>("found"));
};

}  // namespace lapidary

namespace lapidary::app {

SweepResult SweepJob::run(const JobContext& context,
                          const std::function<void(const SweepResult&)>& on_change) const {
    const Progress& progress = context.progress;
    if (!recipe.edits_after.empty())
        fail_input(
            "a sweep tries levels, and the edits after the level are for one of them: export the "
            "model, open the file and sweep that");
    SweepOptions sweeping = options;
    sweeping.optimizing = recipe.options();
    sweeping.dimensions.insert(recipe.dimensions.begin(), recipe.dimensions.end());
    sweeping.session_passes = recipe.session_passes;
    sweeping.session.limits = context.limits;
    const ScratchFolder folder;
    if (recipe.runsInOtherEngine()) {
        ModelSource source = model;
        source.recipe = recipe;
        sweeping.open = [source, file = engine_file(source, folder.path(), progress)](
                            const RunConfiguration& configuration, const NamedValues& inputs,
                            const Progress& within) {
            return open_swept(source, configuration, inputs, file, within.cancel);
        };
    } else {
        place_on(sweeping.session, recipe.runs_on);
    }
    sweeping.given = given_values(*model.model, given, sweeping.dimensions, progress.cancel);
    if (!verify.empty())
        return lapidary::verify(model.model, found, verify, sweeping, progress, on_change);
    return lapidary::sweep(model.model, space, sweeping, progress, context.control, on_change);
}

template <>
const JobKind& kind_of<SweepJob>() {
    static const KindOf<SweepJob> kind;
    return kind;
}

}  // namespace lapidary::app
