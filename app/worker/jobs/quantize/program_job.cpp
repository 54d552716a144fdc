// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/quantize/program_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/protocol/quantization_members.h"

namespace lapidary {

template <>
struct Members<SnippetSamples> {
    using T = SnippetSamples;
    static constexpr auto list =
        members<T>(member<&T::data>("data"), member<&T::is_text>("is_text"),
                   member<&T::generated>("generated"), member<&T::images>("images"));
};
template <>
struct Members<QuantizeSnippetSettings> {
    using T = QuantizeSnippetSettings;
    static constexpr auto list = members<T>(
        member<&T::model_file>("model_file"), member<&T::quantized_file>("quantized_file"),
        member<&T::onnxruntime_version>("onnxruntime_version"), member<&T::options>("options"),
        member<&T::samples>("samples"), member<&T::nodes>("nodes"));
};
template <>
struct Members<app::ProgramJob> {
    using T = app::ProgramJob;
    static constexpr auto list = members<T>(member<&T::model>("model").required(),
                                            member<&T::settings>("settings").required());
};

}  // namespace lapidary

namespace lapidary::app {

std::string ProgramJob::run(const JobContext& context) const {
    return quantize_snippet(*model.model, settings, context.progress);
}

template <>
const JobKind& kind_of<ProgramJob>() {
    static const KindOf<ProgramJob> kind;
    return kind;
}

}  // namespace lapidary::app
