// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/machine_job.h"

#include <lapidary/base/error.h>
#include <lapidary/internal/measurement_members.h>

#include "worker/jobs/job_kind.h"
#include "worker/remote/target_program.h"
#include "worker/remote/target_side.h"

namespace lapidary {

template <>
struct Members<app::MachineJob> {
    using T = app::MachineJob;
    static constexpr auto list = members<T>(member<&T::asked_by>("asked_by"));
};
template <>
struct Members<app::TargetFacts> {
    using T = app::TargetFacts;
    static constexpr auto list =
        members<T>(member<&T::architecture>("architecture"), member<&T::version>("version"),
                   member<&T::machine>("machine"));
};

}  // namespace lapidary

namespace lapidary::app {

TargetFacts MachineJob::run(const JobContext&) const {
    const TargetSide& side = target_side();
    if (!asked_by.empty() && asked_by != side.commit)
        fail_unsupported("lapidary-cli there was built from commit " + side.commit + ", expected " +
                         asked_by);
    return {own_architecture(), side.version, machine_info()};
}

template <>
const JobKind& kind_of<MachineJob>() {
    static const KindOf<MachineJob> kind;
    return kind;
}

}  // namespace lapidary::app
