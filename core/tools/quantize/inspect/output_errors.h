// SPDX-License-Identifier: Apache-2.0
// How alike the errors of two quantizations of one model are.
#pragma once

#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// What quantized models give less than the float one, over samples; of large outputs some
/// elements.
class OutputErrors {
public:
    /// Runs `original`. Samples that do not run are passed over. Throws cancelled.
    OutputErrors(const Model& original, SampleSourcePtr samples, int threads, Progress progress);

    /// Errors of `quantized`, each output as a share of its size: always in the same order. Throws
    /// cancelled.
    std::vector<float> of(const Model& quantized) const;

private:
    std::vector<std::vector<float>> outputs_of(const Model& model) const;

    SampleSourcePtr samples_;
    int threads_;
    Progress progress_;
    std::vector<std::vector<float>> expected_;  // sample by sample, output by output
};

/// The cosine of two errors; 0 where one of them is none, or they are not of the same model and
/// samples.
double likeness_of(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace lapidary
