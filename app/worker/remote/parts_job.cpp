// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/parts_job.h"

#include <lapidary/internal/base64.h>

#include "worker/jobs/job_kind.h"
#include "worker/remote/file_store.h"
#include "worker/remote/target_side.h"

namespace lapidary {

template <>
struct Members<app::PartsJob> {
    using T = app::PartsJob;
    static constexpr auto list = members<T>(member<&T::parts>("parts").required());
};
template <>
struct Members<app::KeptParts> {
    using T = app::KeptParts;
    static constexpr auto list = members<T>(member<&T::parts>("parts"));
};

}  // namespace lapidary

namespace lapidary::app {

KeptParts PartsJob::run(const JobContext& context) const {
    const FileStore store(target_side().cache);
    KeptParts kept;
    for (const std::string& part : parts) {
        context.progress.cancel.throw_if_cancelled();
        store.keep_part(from_base64(part));
        ++kept.parts;
    }
    return kept;
}

template <>
const JobKind& kind_of<PartsJob>() {
    static const KindOf<PartsJob> kind;
    return kind;
}

}  // namespace lapidary::app
