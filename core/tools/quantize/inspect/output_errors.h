// SPDX-License-Identifier: Apache-2.0
// How similar the errors of two quantizations of one model are.
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// The differences between the outputs of quantized models and those of the float model, over
/// samples. Of large outputs only some elements.
class OutputErrors {
public:
    /// Runs `original`. Samples that fail to run are skipped. Throws cancelled.
    OutputErrors(const Model& original, SampleSourcePtr samples, int threads, Progress progress);

    /// The errors of `quantized`, each output relative to its size, always in the same order.
    /// Throws cancelled.
    std::vector<float> of(const Model& quantized) const;

private:
    std::vector<std::vector<float>> outputs_of(const Model& model) const;

    SampleSourcePtr samples_;
    int threads_;
    Progress progress_;
    std::vector<std::vector<float>> expected_;  // sample by sample, output by output
};

/// The cosine of two error vectors. 0 if one of them is zero, or they do not belong to the same
/// model and samples.
double cosine_similarity(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace lapidary
