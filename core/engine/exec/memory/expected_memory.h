// SPDX-License-Identifier: Apache-2.0
// The memory trace of a run that did not take place, from the types and from what kernels ask for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "exec/memory/memory_pattern.h"
#include "exec/memory/step_survey.h"

namespace lapidary {

struct ExpectedMemory {
    MemoryTrace trace;
    std::vector<StepRequests> steps;    // parallel to the plan's
    std::vector<std::uint8_t> is_free;  // by ValueId::index: lies in a constant, takes nothing
    // parallel to the steps: what the largest of a step's subgraphs needs
    std::vector<std::uint64_t> inner;
    // by ValueId::index, dimensions as numbers where they are known; none: no tensor
    std::vector<std::optional<Type>> types;
    std::vector<std::string> unknown;  // values and working memory whose size only a run tells
};

/// The size of a dimension that is not a number, where it is known.
using DimensionSizes = std::function<std::optional<std::int64_t>(const Dim& dim)>;

/// What the first run of `plan` would trace with inputs of these sizes. Of several subgraphs of a
/// step (the branches of an If) the one that needs most counts. `concrete`: the same graph, before
/// steps were fused, typed with these sizes: what the symbols lost on the way is taken from it; may
/// be null. Throws cancelled.
ExpectedMemory expect_memory(const Plan& plan, const DimensionSizes& sizes, const Graph* concrete,
                             StepSurvey& survey, const CancelToken& cancel);

}  // namespace lapidary
