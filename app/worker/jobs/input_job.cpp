// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/input_job.h"

#include "worker/jobs/job_kind.h"
#include "worker/protocol/sample_preview_members.h"

namespace lapidary {

template <>
struct Members<app::InputJob> {
    using T = app::InputJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(),
                   member<&T::settings>("settings").required(), member<&T::dropped>("dropped"));
};
template <>
struct Members<app::PreviewedInput> {
    using T = app::PreviewedInput;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::type>("type"), member<&T::source>("source"),
        member<&T::shape>("shape"), member<&T::low>("low"), member<&T::high>("high"),
        member<&T::mean>("mean"), member<&T::picture>("picture"), member<&T::failure>("failure"));
};
template <>
struct Members<app::InputPreview> {
    using T = app::InputPreview;
    static constexpr auto list = members<T>(
        member<&T::given>("given"), member<&T::inputs>("inputs"), member<&T::recorded>("recorded"),
        member<&T::refused>("refused"), member<&T::sizes>("sizes"));
};

}  // namespace lapidary

namespace lapidary::app {

InputPreview InputJob::run(const JobContext& context) const {
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.cancel = context.progress.cancel;
    for (const auto& [symbol, size] : settings.dimensions)
        if (size > 0) generate.dimensions.emplace(symbol, size);
    return preview_inputs(*model.model, settings.given, dropped, generate);
}

template <>
const JobKind& kind_of<InputJob>() {
    static const KindOf<InputJob> kind;
    return kind;
}

}  // namespace lapidary::app
