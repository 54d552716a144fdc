// SPDX-License-Identifier: Apache-2.0
// What a run takes where caches grow from run to run, as those of a decoder do: no two runs have
// the same shapes.
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
    std::string dimension;          // of the caches, by its name in the model
    std::int64_t from = 0, to = 0;  // its size before the first and the last run
    std::size_t runs = 0;
    double median_ms = 0;
    std::string refusal;  // a phrase; else empty: why caches do not grow here

    Json json() const;
    std::string text() const;  // a line
};

/// Runs that each begin with the caches that the one before made, up to 32, 2 seconds or what the
/// model takes, and at least 3; the other inputs are generated in the sizes that follow. `inputs`:
/// of the first run, those of files as they stand.
GrowingCaches time_growing_caches(Session& session, const Model& model,
                                  std::span<const CachePair> pairs, const InputOptions& options,
                                  const GatheredInputs& inputs, const CancelToken& cancel);

}  // namespace lapidary::cli
