// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/open_job.h"

#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/inputs/samples.h>

#include "worker/jobs/job_kind.h"
#include "worker/jobs/weight_job.h"
#include "worker/protocol/bytes/model_bytes.h"
#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary {

template <>
struct Members<app::OpenJob> {
    using T = app::OpenJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required());
};
template <>
struct Members<ModelFault> {
    using T = ModelFault;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::message>("message"));
};

}  // namespace lapidary

namespace lapidary::app {

OpenedFile OpenJob::run(const JobContext& context) const {
    OpenedFile opened;
    if (context.cache) {
        opened.model = context.cache->look(model, context.progress, &opened.faults);
    } else if (!model.sample.empty()) {
        context.progress.step("build");
        opened.model = std::make_shared<const Model>(build_sample(model.sample));
    } else {
        opened.model = std::make_shared<const Model>(
            load_model(model.file, {.channel_block = model.channel_block, .faults = &opened.faults},
                       context.progress));
    }
    opened.layout_problem = channel_block_problem(*opened.model);
    return opened;
}

SharedMemory OpenJob::block_of(const OpenedFile& opened) {
    const ModelBytes model(*opened.model);
    return written_block([&](ByteWriter& out) {
        model.write(out);
        write_described(out, opened.faults);
        out.text(opened.layout_problem);
    });
}

OpenedFile OpenJob::complete(ByteReader& block, const Progress& progress,
                             const EngineHandlePtr& engine) const {
    OpenedFile opened;
    opened.model = std::make_shared<const Model>(
        read_model(block, nullptr, weights_of(engine, model), progress.cancel));
    opened.faults = read_described<std::vector<ModelFault>>(block);
    opened.layout_problem = block.text();
    return opened;
}

OpenedFile open_model(Engine& engine, const ModelSource& model, const Progress& progress) {
    try {
        return engine.call(OpenJob{model}, progress);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::io_failure) throw;
    }
    return LocalEngine().call(OpenJob{model}, progress);
}

template <>
const JobKind& kind_of<OpenJob>() {
    static const KindOf<OpenJob> kind;
    return kind;
}

}  // namespace lapidary::app
