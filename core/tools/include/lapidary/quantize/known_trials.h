// SPDX-License-Identifier: Apache-2.0
// A search for the best recipe that several machines share: each tries a part of the recipes, and
// the search itself then looks up what they found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A recipe that was tried before, by its name.
struct KnownTrial {
    std::string name;                       // of the recipe, as RecipeTrial has it
    std::uint64_t weight_bytes = 0;         // of all constants
    std::string failure;                    // why it failed; empty: it did not
    std::vector<QuantizedAccuracy> splits;  // on the SampleSplits 0, 1, 2 ...
};

/// Tries the recipes whose index divided by `shards` leaves `shard`, on all splits of the samples,
/// without a limit of time. Throws invalid_input for fewer than 2 samples and where there is no
/// such shard, and what quantize_model() throws for the recipe that `options` are.
std::vector<KnownTrial> try_recipes(const Model& model, const QuantizeOptions& options,
                                    const SampleSourcePtr& samples, std::size_t shard,
                                    std::size_t shards, const Progress& progress = {});

/// search_recipes() of lapidary/quantize/quantize.h with the same decisions. What `known` has is
/// not run again; all else is. Only the first recipe and the best are quantized of those that are
/// known, so that `on_trial` gets no model of the others. Throws invalid_input for a trial of a
/// recipe that the search does not have, too.
SearchResult search_known_recipes(const Model& model, const QuantizeOptions& options,
                                  SampleSourcePtr samples, double budget_seconds,
                                  const std::vector<KnownTrial>& known,
                                  const Progress& progress = {}, const TrialSeen& on_trial = {});

}  // namespace lapidary
