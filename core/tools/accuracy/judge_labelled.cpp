// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/judge_labelled.h>

#include <algorithm>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

namespace lapidary {

AccuracyCounts count_judged(const ModelPtr& model, const SampleSource& samples,
                            const Labels& labels, int threads, const Progress& progress) {
    AccuracyOptions options;
    options.shards = std::min(evaluation_period, std::max<std::size_t>(1, samples.size()));
    options.shard = options.shards - 1;
    options.threads = threads;
    return measure_accuracy(model, samples, labels, options, progress);
}

std::optional<std::string> float_model_fault(const AccuracyCounts& counts) {
    if (counts.rows == 0) return std::nullopt;
    constexpr double mostly_right = 0.5;
    constexpr std::uint64_t least_rows = 20;  // with fewer a model looks like a guess
    const ShareEstimate share = counts.top1_share();
    const std::string agrees =
        fmt::format("the float model itself agrees with {} of {} labels", counts.top1, counts.rows);
    if (share.high < mostly_right)
        return agrees +
               ": its preprocessing (mean, deviation, order of colours) or the labels are not "
               "those it was "
               "trained with";
    std::uint64_t most = 0, known = 0;
    for (const auto& [label, one] : counts.classes) {
        most = std::max(most, one.right + one.missed);
        known += one.right + one.missed > 0 ? 1 : 0;
    }
    const double frequent = static_cast<double>(most) / static_cast<double>(counts.rows);
    if (counts.rows < least_rows || known < 2 || share.low > frequent) return std::nullopt;
    return agrees +
           fmt::format(
               ", where always giving the most frequent class agrees with {}: what is measured "
               "here "
               "says little, or its preprocessing or the labels are not those it was trained with",
               most);
}

std::string float_model_sentence(const AccuracyCounts& counts) {
    if (counts.rows > 0)
        return fmt::format("float model: top-1 {} of {}", share_text(counts.top1_share()),
                           count_text(static_cast<std::int64_t>(counts.rows), "label"));
    if (counts.vectors > 0)
        return fmt::format("float model: cosine {:.6f} to {}", counts.mean_cosine(),
                           count_text(static_cast<std::int64_t>(counts.vectors), "label"));
    return {};
}

LabelledJudgement judge_labelled(const AccuracyCounts& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads,
                                 const Progress& progress) {
    LabelledJudgement found{original, count_judged(quantized, samples, labels, threads, progress),
                            original.warnings};
    if (const auto fault = float_model_fault(original)) found.warnings.push_back(*fault);
    return found;
}

LabelledJudgement judge_labelled(const ModelPtr& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads,
                                 const Progress& progress) {
    return judge_labelled(count_judged(original, samples, labels, threads, progress), quantized,
                          samples, labels, threads, progress);
}

}  // namespace lapidary
