// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/read_job.h"

#include <vector>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/report/model_summary.h>

#include "worker/jobs/job_kind.h"

namespace lapidary {

template <>
struct Members<app::ReadJob> {
    using T = app::ReadJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required());
};
template <>
struct Members<app::ReadResult> {
    using T = app::ReadResult;
    static constexpr auto list =
        members<T>(member<&T::nodes>("nodes"), member<&T::faults>("faults"));
};

}  // namespace lapidary

namespace lapidary::app {

ReadResult ReadJob::run(const JobContext& context) const {
    if (!context.cache) return {};
    std::vector<ModelFault> faults;
    const ModelPtr read = context.cache->look(model, context.progress, &faults);
    return {summarize(*read).nodes, faults.size()};
}

template <>
const JobKind& kind_of<ReadJob>() {
    static const KindOf<ReadJob> kind;
    return kind;
}

}  // namespace lapidary::app
