// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/quantize/sample_job.h"

#include <lapidary/proof/judge_labelled.h>
#include <lapidary/inputs/preprocessing.h>

#include "worker/jobs/job_kind.h"
#include "worker/protocol/sample_preview_members.h"

namespace lapidary {

template <>
struct EnumNames<PixelKind> {
    static constexpr std::array<std::pair<PixelKind, std::string_view>, 3> all{
        {{PixelKind::none, "none"}, {PixelKind::bytes, "bytes"}, {PixelKind::floats, "floats"}}};
};
template <>
struct Members<app::SampleJob> {
    using T = app::SampleJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), member<&T::samples>("samples").required(),
                   member<&T::labels>("labels"));
};
template <>
struct Members<app::SampleInput> {
    using T = app::SampleInput;
    static constexpr auto list =
        members<T>(member<&T::name>("name"), member<&T::type>("type"), member<&T::low>("low"),
                   member<&T::high>("high"), member<&T::mean>("mean"));
};
template <>
struct Members<app::PreviewedSample> {
    using T = app::PreviewedSample;
    static constexpr auto list = members<T>(
        member<&T::name>("name"), member<&T::judges>("judges"), member<&T::inputs>("inputs"),
        member<&T::picture>("picture"), member<&T::failure>("failure"));
};
template <>
struct Members<app::SamplePreview> {
    using T = app::SamplePreview;
    static constexpr auto list =
        members<T>(member<&T::total>("total"), member<&T::calibration_samples>("learned"),
                   member<&T::evaluation_samples>("judged"), member<&T::generated>("generated"),
                   member<&T::samples>("samples"), member<&T::pixels>("pixels"),
                   member<&T::guess>("guess"), member<&T::float_answers>("float_answers"),
                   member<&T::warnings>("warnings"), member<&T::notes>("notes"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

constexpr std::size_t previewed_samples = 12;

/// Of the float model, on the samples that judge.
void count_answers(const ModelPtr& model, const SampleSourcePtr& samples, const Labels& labels,
                   SamplePreview& preview, const Progress& progress) {
    progress.step("right answers of the float model");
    try {
        const AccuracyCounts counts =
            count_judged(model, *samples, labels, 0, {progress.cancel, {}});
        preview.float_answers = float_model_sentence(counts);
        if (const auto fault = float_model_fault(counts)) preview.warnings.push_back(*fault);
        for (const std::string& warning : counts.warnings) preview.notes.push_back(warning);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled || labels_per_sample(labels, samples->size()) > 1)
            throw;
        preview.warnings.push_back(std::string("no answer was compared with a label: ") +
                                   error.what());
    }
}

}  // namespace

SamplePreview SampleJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    const SampleSourcePtr source = samples_of(model.model, samples, progress.cancel);
    if (samples.isGenerated())
        return preview_samples(source, true, previewed_samples, progress.cancel);
    const std::optional<Labels> known =
        labels.empty() ? std::nullopt : std::optional(load_labels(labels));
    const PreparedSamples prepared = prepare_samples(model.model, source, samples.images,
                                                     known ? &*known : nullptr, 0, progress);
    SamplePreview preview =
        preview_samples(prepared.samples, false, previewed_samples, progress.cancel);
    preview.pixels = source->pixels(progress.cancel).kind;
    if (prepared.judgement.is_guessed) preview.guess = prepared.images;
    if (const std::string sentence = prepared.judgement.sentence(false); !sentence.empty())
        (prepared.judgement.is_warning ? preview.warnings : preview.notes).push_back(sentence);
    if (known) count_answers(model.model, prepared.samples, *known, preview, progress);
    for (const std::string& note : prepared.samples->warnings()) preview.notes.push_back(note);
    return preview;
}

template <>
const JobKind& kind_of<SampleJob>() {
    static const KindOf<SampleJob> kind;
    return kind;
}

}  // namespace lapidary::app
