// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/step_job.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/passes/device_passes.h>

#include "worker/jobs/job_kind.h"
#include "worker/jobs/variant_job.h"
#include "worker/models/edited_model.h"
#include "worker/protocol/bytes/model_bytes.h"
#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary {

template <>
struct Members<app::StepJob> {
    using T = app::StepJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), member<&T::step>("step").required(),
                   member<&T::in_session>("in_session"), unsent<&T::base>());
};

}  // namespace lapidary

namespace lapidary::app {

Step StepJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    const Recipe recipe = model.recipe.value_or(Recipe());
    const ModelPtr from =
        context.cache ? context.cache->get(in_session ? model : base_of(model), progress) : base;
    if (!from) fail(ErrorCode::internal, "there is no model to make a step of");
    if (in_session) {
        progress.step("session passes");
        Model copy = *from;
        apply_session_passes_for(recipe.options().provider, copy, recipe.sessionPasses(), progress,
                                 step);
        return {std::make_shared<const Model>(std::move(copy)), from};
    }
    if (recipe.isEditedAlone()) {  // its steps are lines
        progress.step("edit");
        return {edited_model(from, recipe.edits, step, progress), from};
    }
    OptimizeOptions options = recipe.options();
    options.stop_after = std::min(step, recipe.stop_after.value_or(step));
    options.near_misses = false;
    OptimizeResult result = optimize(*from, options, progress);
    const std::size_t passed = std::min(step, result.report.rewrites.size());
    const ModelPtr made = std::make_shared<const Model>(std::move(result.model));
    if (step == passed || recipe.edits_after.empty()) return {made, from};
    return {edited_model(made, recipe.edits_after, step - passed, progress), from};
}

/// A step is looked at and forgotten: nothing asks for what it made of weights.
SharedMemory StepJob::block_of(const Step& step) {
    const ModelBytes model(*step.model, step.base.get(), false);
    return written_block([&](ByteWriter& out) { model.write(out); });
}

Step StepJob::complete(ByteReader& block, const Progress& progress) const {
    return {std::make_shared<const Model>(read_model(block, base.get(), {}, progress.cancel)),
            base};
}

template <>
const JobKind& kind_of<StepJob>() {
    static const KindOf<StepJob> kind;
    return kind;
}

}  // namespace lapidary::app
