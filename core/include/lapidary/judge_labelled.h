// SPDX-License-Identifier: Apache-2.0
// Right answers of a model before and after quantizing.
#pragma once

#include <string>
#include <vector>

#include <lapidary/accuracy.h>

namespace lapidary {

/// Counts of both models over the same samples.
struct LabelledJudgement {
    AccuracyCounts original, quantized;  // of the float and the quantized model
    std::vector<std::string> warnings;   // a sentence each
};

/// Measures both over the samples that give no ranges (split_samples()). Warns where the float model itself is mostly
/// wrong: then its preprocessing or the labels are not those it was trained with. Throws as measure_accuracy().
LabelledJudgement judge_labelled(const ModelPtr& original, const ModelPtr& quantized, const SampleSource& samples,
                                 const Labels& labels, int threads = 0, const Progress& progress = {});

}  // namespace lapidary
