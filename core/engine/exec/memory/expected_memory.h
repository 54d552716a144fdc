// SPDX-License-Identifier: Apache-2.0
// The memory trace that a run would leave, computed without running, from types and the requests of
// kernels.
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
    std::vector<std::uint8_t> is_free;  // by ValueId::index: lies in a constant and needs no memory
    // parallel to the steps: what a step's largest subgraph needs
    std::vector<std::uint64_t> inner;
    // by ValueId::index, dimensions as numbers where they are known; none: not a tensor
    std::vector<std::optional<Type>> types;
    // values and scratch memory whose size is known only in a run
    std::vector<std::string> unknown;
};

/// The size of a symbolic dimension, if known.
using DimensionSizes = std::function<std::optional<std::int64_t>(const Dim& dim)>;

/// The trace of the first run of `plan` with inputs of these sizes. Of several subgraphs of a step
/// (the branches of an If) the largest counts. `concrete`: the same graph before its steps were
/// fused, with types of these sizes. It gives the sizes that fusing lost; may be null. Throws
/// cancelled.
ExpectedMemory expect_memory(const Plan& plan, const DimensionSizes& sizes, const Graph* concrete,
                             StepSurvey& survey, const CancelToken& cancel);

}  // namespace lapidary
