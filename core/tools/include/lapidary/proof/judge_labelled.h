// SPDX-License-Identifier: Apache-2.0
// Right answers of a model before and after quantizing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/accuracy.h>

namespace lapidary {

/// Counts of both models over the same samples.
struct LabelledJudgement {
    AccuracyCounts original, quantized;  // of the float and the quantized model
    std::vector<std::string> warnings;   // a sentence each
};

/// Those of a model over the samples that give no ranges (split_samples()). Throws as
/// measure_accuracy().
AccuracyCounts count_judged(const ModelPtr& model, const SampleSource& samples,
                            const Labels& labels, int threads = 0, const Progress& progress = {});

/// Why the float model's own answers make what is measured on these labels doubtful, a sentence:
/// most are wrong, or always giving the most frequent class would be as right. Nothing: they are
/// fine, or no labels of classes.
std::optional<std::string> float_model_fault(const AccuracyCounts& counts);

/// "float model: top-1 92.0 % (89.0 - 94.3) of 400 labels": its answers before anything is
/// quantized; empty: there are no labels of classes or vectors.
std::string float_model_sentence(const AccuracyCounts& counts);

/// Both over the samples that give no ranges; the original's were counted before by count_judged().
/// Throws as measure_accuracy().
LabelledJudgement judge_labelled(const AccuracyCounts& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads = 0,
                                 const Progress& progress = {});
/// Counts both.
LabelledJudgement judge_labelled(const ModelPtr& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads = 0,
                                 const Progress& progress = {});

}  // namespace lapidary
