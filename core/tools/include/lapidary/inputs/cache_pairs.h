// SPDX-License-Identifier: Apache-2.0
// Caches of decoders: outputs that are inputs of the next run.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// An output of a run that is an input of the next.
struct CachePair {
    std::string output;  // "present.0.key"
    std::string input;   // "past_key_values.0.key"
};

/// Outputs named present* or present_key_values*, each with the input that is named alike but for
/// past* or past_key_values*, where both are tensors of the same element type and rank; in the
/// order of the outputs. Empty: there is none.
std::vector<CachePair> find_cache_pairs(const Model& model);

}  // namespace lapidary
