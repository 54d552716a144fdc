// SPDX-License-Identifier: Apache-2.0
// Which rewrite of a recipe moves an output of a model.
#pragma once

#include <cstddef>
#include <string>

#include <lapidary/proof/bisect.h>

#include "worker/inputs/given_inputs.h"
#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// What is left of a bisection once its models are gone.
struct BisectFinding {
    // of the rewrite, from 1; 0: none moves an output beyond tolerance
    std::size_t number = 0;
    std::size_t rewrites = 0, trials = 0;
    bool differs = false;  // the whole variant from the original
    std::string pass, remark;
    // that is farthest off right after it; empty: the model did not run
    std::string output;
    double largest = 0;   // its largest difference
    std::string failure;  // why the model right after it did not run
};

/// Throws what bisect() and given_values() throw.
struct BisectJob {
    using Result = BisectFinding;
    static constexpr std::string_view name = "bisect";
    static constexpr Lane lane = Lane::proofs;

    ModelSource original;  // what the recipe's level is applied to
    Recipe recipe;
    GuardOptions options;  // as in GuardJob
    GivenInputs given;     // other inputs are generated

    std::string title() const { return "the search in " + original.title(); }
    BisectFinding run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<BisectJob>();

}  // namespace lapidary::app
