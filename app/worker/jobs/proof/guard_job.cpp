// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/proof/guard_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/protocol/proof_members.h"

namespace lapidary {

template <>
struct Members<app::GuardJob> {
    using T = app::GuardJob;
    static constexpr auto list = members<T>(
        member<&T::original>("original").required(), member<&T::variant>("variant").required(),
        member<&T::options>("options"), member<&T::given>("inputs"));
};

}  // namespace lapidary

namespace lapidary::app {

GuardReport GuardJob::run(const JobContext& context) const {
    GuardOptions full = options;
    full.session_passes = variant.session_passes();
    full.inputs = given_values(*original.model, given, full.dimensions, context.progress.cancel);
    return guard(*original.model, *variant.model, full, context.progress);
}

template <>
const JobKind& kind_of<GuardJob>() {
    static const KindOf<GuardJob> kind;
    return kind;
}

}  // namespace lapidary::app
