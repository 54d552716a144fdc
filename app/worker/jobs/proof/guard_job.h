// SPDX-License-Identifier: Apache-2.0
// A variant against the model that it was made from: both run on the same inputs.
#pragma once

#include <lapidary/proof/guard.h>

#include "worker/inputs/given_inputs.h"
#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// Throws what guard() and given_values() throw.
struct GuardJob {
    using Result = GuardReport;
    static constexpr std::string_view name = "guard";
    static constexpr Lane lane = Lane::proofs;

    ModelSource original, variant;
    /// Without inputs, providers and session passes: those are of `given` and of the variant.
    GuardOptions options;
    GivenInputs given;  // other inputs are generated

    std::string title() const { return "the proof of " + variant.title(); }
    GuardReport run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<GuardJob>();

}  // namespace lapidary::app
