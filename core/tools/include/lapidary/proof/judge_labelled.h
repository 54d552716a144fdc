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

/// Counts of a model over the evaluation samples (split_samples()). Throws as
/// measure_accuracy().
AccuracyCounts count_judged(const ModelPtr& model, const SampleSource& samples,
                            const Labels& labels, int threads = 0, const Progress& progress = {});

/// A sentence why figures on these labels are doubtful: most answers of the float model are wrong,
/// or always giving the most frequent class would be as good. Nothing: the answers are fine, or the
/// labels are no classes.
std::optional<std::string> float_model_fault(const AccuracyCounts& counts);

/// "float model: top-1 92.0 % (89.0 - 94.3) of 400 labels": the answers of the float model. Empty:
/// there are no labels of classes or vectors.
std::string float_model_sentence(const AccuracyCounts& counts);

/// Counts of both models over the evaluation samples. `original`: of count_judged().
/// Throws as measure_accuracy().
LabelledJudgement judge_labelled(const AccuracyCounts& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads = 0,
                                 const Progress& progress = {});
/// The same; counts the original too.
LabelledJudgement judge_labelled(const ModelPtr& original, const ModelPtr& quantized,
                                 const SampleSource& samples, const Labels& labels, int threads = 0,
                                 const Progress& progress = {});

}  // namespace lapidary
