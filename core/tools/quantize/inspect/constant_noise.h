// SPDX-License-Identifier: Apache-2.0
// How far the outputs of a model move when one of its constants changes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// Runs a model on samples with one constant replaced at a time.
class ConstantNoise {
public:
    /// Runs the model itself on the first `most` samples that run. Throws cancelled, and what
    /// Session::compile() throws.
    ConstantNoise(const Model& model, const SampleSource& samples, std::size_t most, int threads,
                  Progress progress);

    /// False: no sample ran, or outputs are no finite floats.
    bool is_known() const;
    /// Sum of the squared changes by the sum of the squares, the mean over the outputs of floats.
    /// Of an output named "logits" alone, where there is one, each row less its mean, since equal
    /// changes of all logits change no probability. Infinity where outputs are not finite. Throws
    /// cancelled.
    double of(const std::string& constant, const Tensor& value) const;

private:
    struct Outputs {
        std::vector<std::vector<float>> values;  // sample by sample, output by output
    };
    Outputs outputs_of(const Model& model) const;

    const Model& model_;
    int threads_;
    Progress progress_;
    std::vector<NamedValues> samples_;
    std::vector<std::string> names_;  // of the outputs that count
    Outputs expected_;
};

}  // namespace lapidary
