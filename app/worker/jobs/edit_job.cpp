// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/edit_job.h"

#include <filesystem>
#include <vector>

#include <lapidary/internal/edit_members.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/jobs/job_kind.h"
#include "worker/models/edited_model.h"
#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/described_bytes.h"

namespace lapidary {

template <>
struct Members<app::EditJob> {
    using T = app::EditJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), member<&T::script>("script").required(),
                   member<&T::writes_parts>("writes_parts").if_changed());
};

}  // namespace lapidary

namespace lapidary::app {

namespace {

void write_edit_parts(const EditReport& report, const ModelSource& source,
                      const Progress& progress) {
    // the window protects what it has opened in its own process alone
    const InputProtection opened(InputProtection::Of::named_files);
    protect_input(source.file);
    protect_input(source.model->path);
    for (const std::filesystem::path& read : source.model->external_files) protect_input(read);
    std::vector<std::filesystem::path> files;
    for (const EditPart& part : report.parts) files.push_back(part.file);
    check_output_files(files);
    progress.step("save");
    for (const EditPart& part : report.parts) save_model(*part.model, part.file, {}, progress);
}

}  // namespace

EditReport EditJob::run(const JobContext& context) const {
    EditReport report = try_edits(*model.model, script, context.progress);
    if (writes_parts) write_edit_parts(report, model, context.progress);
    report.parts.clear();
    return report;
}

SharedMemory EditJob::block_of(const EditReport& report) {
    return written_block([&](ByteWriter& out) { write_described(out, report); });
}

EditReport EditJob::complete(ByteReader& block, const Progress&) const {
    return read_described<EditReport>(block);
}

template <>
const JobKind& kind_of<EditJob>() {
    static const KindOf<EditJob> kind;
    return kind;
}

}  // namespace lapidary::app
