// SPDX-License-Identifier: Apache-2.0
// A model over thread counts, batch sizes and execution modes.
#pragma once

#include <cstddef>
#include <vector>

#include <lapidary/bench/sweep.h>

#include "worker/jobs/engine.h"
#include "worker/inputs/given_inputs.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {

/// After a cancel the newest state has what was measured.
struct SweepJob {
    using Result = SweepResult;
    using State = SweepResult;
    static constexpr std::string_view name = "sweep";

    ModelSource model;  // as opened; the space's levels are applied to it
    Recipe recipe;      // whose passes and sizes hold at each of these levels
    SweepSpace space;
    SweepOptions options;
    GivenInputs given = {};           // others are generated
    std::vector<std::size_t> verify;  // cells of `found` to measure exactly instead
    SweepResult found;

    std::string title() const { return "the sweep of " + model.title(); }
    SweepResult run(const JobContext& context,
                    const std::function<void(const SweepResult&)>& on_change) const;
};
template <>
const JobKind& kind_of<SweepJob>();

}  // namespace lapidary::app
