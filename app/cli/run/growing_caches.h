// SPDX-License-Identifier: Apache-2.0
// The time of runs whose caches grow from run to run, as those of a decoder do, so that no two runs
// have the same shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <lapidary/inputs/cache_pairs.h>
#include <lapidary/exec/session.h>

#include "cli/output/json_output.h"
#include "cli/models/model_inputs.h"

namespace lapidary::cli {

struct GrowingCaches {
    std::string dimension;          // name of the growing dimension in the model
    std::int64_t from = 0, to = 0;  // its size before the first and the last run
    std::size_t runs = 0;
    double median_ms = 0;
    std::string refusal;  // why caches do not grow in this model, as a phrase; empty: they grow

    Json json() const;
    std::string text() const;  // one line
};

/// Times runs that each start with the caches of the run before. There are at least 3 and at most
/// 32 runs, for up to 2 seconds, or fewer if the model accepts no larger caches. Other inputs are
/// generated with the sizes that follow. `inputs`: those of the first run; inputs from files are
/// used unchanged.
GrowingCaches time_growing_caches(Session& session, const Model& model,
                                  std::span<const CachePair> pairs, const InputOptions& options,
                                  const GatheredInputs& inputs, const CancelToken& cancel);

}  // namespace lapidary::cli
