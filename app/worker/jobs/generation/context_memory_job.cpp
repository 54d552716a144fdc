// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/generation/context_memory_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/protocol/memory_members.h"

namespace lapidary {

template <>
struct Members<ContextMemory> {
    using T = ContextMemory;
    static constexpr auto list =
        members<T>(member<&T::context>("context"), member<&T::cache_bytes>("cache_bytes"),
                   member<&T::activation_bytes>("activation_bytes"));
};
template <>
struct Members<DecoderMemory> {
    using T = DecoderMemory;
    static constexpr auto list =
        members<T>(member<&T::weight_bytes>("weight_bytes"),
                   member<&T::cache_row_bytes>("cache_row_bytes"), member<&T::points>("points"));
};
template <>
struct Members<app::ContextMemoryJob> {
    using T = app::ContextMemoryJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required(),
                                            member<&T::assumptions>("assumptions").required(),
                                            member<&T::contexts>("contexts"));
};

}  // namespace lapidary

namespace lapidary::app {

DecoderMemory ContextMemoryJob::run(const JobContext& context) const {
    // Not the study that the cache keeps: it would keep a plan of each context.
    MemoryStudy study(model.model);
    return decoder_memory(study, assumptions, contexts, context.progress);
}

template <>
const JobKind& kind_of<ContextMemoryJob>() {
    static const KindOf<ContextMemoryJob> kind;
    return kind;
}

}  // namespace lapidary::app
