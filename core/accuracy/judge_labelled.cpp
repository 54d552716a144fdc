// SPDX-License-Identifier: Apache-2.0
#include <lapidary/judge_labelled.h>

#include <algorithm>

namespace lapidary {

LabelledJudgement judge_labelled(const ModelPtr& original, const ModelPtr& quantized, const SampleSource& samples,
                                 const Labels& labels, int threads, const Progress& progress) {
    AccuracyOptions options;
    options.shards = std::min(judged_every, std::max<std::size_t>(1, samples.size()));
    options.shard = options.shards - 1;
    options.threads = threads;
    LabelledJudgement found;
    found.original = measure_accuracy(original, samples, labels, options, progress);
    found.quantized = measure_accuracy(quantized, samples, labels, options, progress);
    found.warnings = found.original.warnings;
    constexpr double suspicious = 0.5;
    if (found.original.rows > 0 && found.original.top1_share().high < suspicious)
        found.warnings.push_back("the float model itself agrees with " + std::to_string(found.original.top1) + " of " +
                                 std::to_string(found.original.rows) +
                                 " labels: its preprocessing (mean, deviation, order of colours) or the labels are not "
                                 "those it was trained with");
    return found;
}

}  // namespace lapidary
