// SPDX-License-Identifier: Apache-2.0
// Measures how much a model's outputs change with the order of its sums.
#pragma once

#include <optional>
#include <string>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// The outputs of a model by plain reference kernels, computed at the first use. `model` and
/// `inputs` must outlive it.
class PlainRun {
public:
    /// `run_ms`: time of a run by fast kernels; plain ones take some hundred times as long.
    PlainRun(const Model& model, const NamedValues& inputs, double run_ms, const Progress& progress)
        : model_(&model), inputs_(&inputs), run_ms_(run_ms), progress_(&progress) {}

    /// The largest difference of output `name` to `fast`, which fast kernels gave. Empty if it was
    /// not run (see why_not()), or if NaN or infinities come out at other places.
    std::optional<double> moves(const std::string& name, const RuntimeValue& fast);
    const std::string& why_not() const { return why_not_; }

private:
    void run();

    const Model* model_;
    const NamedValues* inputs_;
    double run_ms_;
    const Progress* progress_;
    std::optional<NamedValues> outputs_;
    std::string why_not_;
};

/// True for integers, which rounding must not change.
bool is_exact(const RuntimeValue& value);

/// True if rounding may be the cause of the difference: at least 20 dB, or within 2 % of the
/// output's largest magnitude.
bool may_be_rounding(const Comparison& comparison);

}  // namespace lapidary
