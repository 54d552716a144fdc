// SPDX-License-Identifier: Apache-2.0
// The graph of a variant after some of its rewrites.
#pragma once

#include <cstddef>

#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

/// The model after so many rewrites, and what the graph is sent as changes of.
struct Step {
    ModelPtr model, base;
};

/// Throws what optimizing throws.
struct StepJob {
    using Result = Step;
    static constexpr std::string_view name = "step";
    static constexpr Lane lane = Lane::models;
    static constexpr bool opens_models = false;

    ModelSource model;        // of the variant, with its recipe
    std::size_t step = 0;     // rewrites from the first on
    bool in_session = false;  // they follow those of the variant: a session makes them in its copy
    /// In this process: the variant where the rewrites are a session's, else what it was made from.
    ModelPtr base;

    std::string title() const { return "a step of " + model.title(); }
    Step run(const JobContext& context) const;
    static SharedMemory block_of(const Step& step);
    Step complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<StepJob>();

}  // namespace lapidary::app
