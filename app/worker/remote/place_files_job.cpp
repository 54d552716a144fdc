// SPDX-License-Identifier: Apache-2.0
#include "worker/remote/place_files_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/remote/target_side.h"

namespace lapidary {

template <>
struct Members<app::FilePart> {
    using T = app::FilePart;
    static constexpr auto list =
        members<T>(member<&T::hash>("hash").required(), member<&T::bytes>("bytes").required());
};
template <>
struct Members<app::FileInParts> {
    using T = app::FileInParts;
    static constexpr auto list =
        members<T>(member<&T::name>("name").required(), member<&T::parts>("parts"));
};
template <>
struct Members<app::PlaceFilesJob> {
    using T = app::PlaceFilesJob;
    static constexpr auto list = members<T>(member<&T::files>("files").required());
};
template <>
struct Members<app::PlacedFiles> {
    using T = app::PlacedFiles;
    static constexpr auto list =
        members<T>(member<&T::folder>("folder"), member<&T::missing>("missing"));
};

}  // namespace lapidary

namespace lapidary::app {

PlacedFiles PlaceFilesJob::run(const JobContext& context) const {
    return FileStore(target_side().cache).place(files, context.progress);
}

template <>
const JobKind& kind_of<PlaceFilesJob>() {
    static const KindOf<PlaceFilesJob> kind;
    return kind;
}

}  // namespace lapidary::app
