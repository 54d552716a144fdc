// SPDX-License-Identifier: Apache-2.0
// A variant made from a model by its recipe, and what is to be known of it without running it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <lapidary/advice/near_miss_groups.h>
#include <lapidary/edit/apply_edits.h>
#include <lapidary/internal/shared_memory.h>
#include <lapidary/passes/optimize.h>

#include "worker/jobs/activation_estimate.h"
#include "worker/jobs/engine.h"
#include "worker/jobs/engine_handle.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

struct MadeVariant {
    ModelPtr model;
    ModelPtr base;  // what it was made from, in the same process
    // with types inferred and functions expanded, which is what optimizing begins with; null where
    // the recipe has a level
    ModelPtr typed;
    // of the level and of session passes behind it; nothing for recipes without a level
    PipelineReport report;
    std::size_t session_rewrites = 0;  // the last so many of the report's
    std::size_t session_nodes = 0;     // of a session's graph; 0: the recipe has no level
    ActivationEstimate activations;
    TimeShares shares;  // estimated
    // of nodes, after edits that left the model invalid: it can be looked at, not run or saved
    std::vector<EditProblem> problems;
};

/// Makes what the recipe of `model` says. A recipe of edits alone also makes a model that they
/// leave invalid, with its problems. Throws what reading, optimizing, quantizing and load_other()
/// throw.
struct VariantJob {
    using Result = MadeVariant;
    static constexpr std::string_view name = "make_variant";
    static constexpr Lane lane = Lane::models;
    static constexpr bool opens_models = false;

    ModelSource model;
    /// In this process: what the variant is made from, which is the model as it was opened, or
    /// what Recipe::base() makes of it. In another process that is made there too,
    /// and what differs from it is sent.
    ModelPtr base;

    std::string title() const;
    MadeVariant run(const JobContext& context) const;
    static SharedMemory block_of(const MadeVariant& made);
    MadeVariant complete(ByteReader& block, const Progress& progress,
                         const EngineHandlePtr& engine) const;

private:
    MadeVariant make(const JobContext& context) const;
    std::optional<MadeVariant> make_invalid(const JobContext& context) const;
};
template <>
const JobKind& kind_of<VariantJob>();

/// The source of what a variant is made from: see VariantJob::base.
ModelSource base_of(const ModelSource& variant);

}  // namespace lapidary::app
