// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>

namespace lapidary {

/// The inputs and inner values of one run.
class SeenValues {
public:
    SeenValues(const NamedValues& inputs, const NamedValues& results)
        : inputs_(inputs), results_(results) {}
    /// Null if there is no tensor of that name.
    const Tensor* find(const std::string& name) const;

private:
    const NamedValues& inputs_;
    const NamedValues& results_;
};

/// Runs the model over the samples while `wants_more()`, without rewriting its nodes, and passes
/// the named values to `visit`. Samples that cannot be read or run are skipped. Throws cancelled.
void visit_values(const Model& model, const SampleSource& samples,
                  const std::vector<std::string>& names, int threads, const Progress& progress,
                  const std::function<bool()>& wants_more,
                  const std::function<void(const SeenValues&)>& visit);

}  // namespace lapidary
