// SPDX-License-Identifier: Apache-2.0
// Two variants on the same inputs: how their outputs differ.
#pragma once

#include <vector>

#include <lapidary/proof/compare.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// Outputs of `b` against those of `a`.
struct CompareJob {
    using Result = std::vector<OutputComparison>;
    static constexpr std::string_view name = "compare_outputs";

    ModelSource a, b;
    RunSettings settings;

    std::string title() const { return "the comparison of outputs of " + a.title(); }
    Result run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<CompareJob>();

}  // namespace lapidary::app
