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
    try {
        return {summarize(*context.cache->get(model, context.progress)).nodes, 0};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model || model.file.empty() || model.recipe) throw;
        // The window shows a model with faults all the same.
        std::vector<ModelFault> faults;
        const Model read =
            load_model(model.file, {.channel_block = model.channel_block, .faults = &faults},
                       context.progress);
        return {summarize(read).nodes, faults.size()};
    }
}

void try_reading(Engine& engine, const ModelSource& model, const Progress& progress) {
    try {
        engine.call(ReadJob{model}, progress);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure) throw;
    }
}

template <>
const JobKind& kind_of<ReadJob>() {
    static const KindOf<ReadJob> kind;
    return kind;
}

}  // namespace lapidary::app
