// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/triage_job.h"

#include <array>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/described_bytes.h"

namespace lapidary {

template <>
struct EnumNames<ExportDefect> {
    static constexpr std::array values{
        ExportDefect::frozen_dimension,  ExportDefect::baked_batch,
        ExportDefect::shape_arithmetic,  ExportDefect::duplicate_weight,
        ExportDefect::unfolded_constant, ExportDefect::weight_input,
        ExportDefect::unrolled_loop,     ExportDefect::decided_branch,
        ExportDefect::double_precision,  ExportDefect::training_node,
        ExportDefect::unused_result,     ExportDefect::wide_index,
        ExportDefect::dynamic_size,      ExportDefect::older_than_operator};
};
template <>
struct Members<ExportPlace> {
    using T = ExportPlace;
    static constexpr auto list =
        members<T>(member<&T::node>("node"), member<&T::text>("text"), member<&T::reason>("reason"),
                   member<&T::words>("words"));
};
template <>
struct Members<ExportFinding> {
    using T = ExportFinding;
    static constexpr auto list =
        members<T>(member<&T::defect>("defect"), member<&T::count>("count"),
                   member<&T::bytes>("bytes"), member<&T::places>("places"));
};
template <>
struct Members<ExportTriage> {
    using T = ExportTriage;
    static constexpr auto list = members<T>(member<&T::findings>("findings"));
};
template <>
struct Members<app::TriageJob> {
    using T = app::TriageJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required());
};

}  // namespace lapidary

namespace lapidary::app {

ExportTriage TriageJob::run(const JobContext& context) const {
    return triage_export(*model.model, context.progress);
}

SharedMemory TriageJob::block_of(const ExportTriage& triage) {
    return written_block([&](ByteWriter& out) { write_described(out, triage); });
}

ExportTriage TriageJob::complete(ByteReader& block, const Progress&) const {
    return read_described<ExportTriage>(block);
}

template <>
const JobKind& kind_of<TriageJob>() {
    static const KindOf<TriageJob> kind;
    return kind;
}

}  // namespace lapidary::app
