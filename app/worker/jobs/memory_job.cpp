// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/memory_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/protocol/memory_members.h"
#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary {

template <>
struct Members<PeakTensor> {
    using T = PeakTensor;
    static constexpr auto list = members<T>(member<&T::name>("name"), member<&T::type>("type"),
                                            member<&T::node>("node"), member<&T::bytes>("bytes"));
};
template <>
struct Members<MemoryFindings> {
    using T = MemoryFindings;
    static constexpr auto list =
        members<T>(member<&T::peak>("peak"), member<&T::needed_bytes>("needed_bytes"),
                   member<&T::held_bytes>("held_bytes"),
                   member<&T::held_with_pattern_turned>("held_with_pattern_turned"),
                   member<&T::held_with_arena_turned>("held_with_arena_turned"),
                   member<&T::has_pattern>("has_pattern"), member<&T::has_arena>("has_arena"));
};
template <>
struct Members<app::PlannedRun> {
    using T = app::PlannedRun;
    static constexpr auto list =
        members<T>(member<&T::report>("report"), member<&T::findings>("findings"),
                   member<&T::free_dimensions>("free_dimensions"));
};
template <>
struct Members<app::MemoryJob> {
    using T = app::MemoryJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::assumptions>("assumptions").required(),
        member<&T::wants_findings>("findings"), unsent<&T::study>());
};

}  // namespace lapidary

namespace lapidary::app {

PlannedRun MemoryJob::run(const JobContext& context) const {
    const std::shared_ptr<MemoryStudy> known = context.cache ? context.cache->study(model.model)
                                               : study       ? study
                                                       : std::make_shared<MemoryStudy>(model.model);
    PlannedRun planned;
    planned.report = known->report(assumptions, context.progress);
    if (wants_findings) planned.findings = memory_findings(*known, assumptions, context.progress);
    planned.free_dimensions = known->free_dimensions();
    return planned;
}

SharedMemory MemoryJob::block_of(const PlannedRun& planned) {
    return written_block([&](ByteWriter& out) { write_described(out, planned); });
}

PlannedRun MemoryJob::complete(ByteReader& block, const Progress&) const {
    return read_described<PlannedRun>(block);
}

template <>
const JobKind& kind_of<MemoryJob>() {
    static const KindOf<MemoryJob> kind;
    return kind;
}

}  // namespace lapidary::app
