// SPDX-License-Identifier: Apache-2.0
// How many positions a model has rows for.
#pragma once

#include <cstdint>
#include <optional>

#include <lapidary/graph/model.h>

namespace lapidary {

/// The fewest rows of a table that the graph selects from by positions, or cuts to a length that it
/// computes: learned embeddings of positions, masks of the longest text. Two rows are kept for
/// models that count from 2. Nothing where the graph has no such table.
std::optional<std::int64_t> longest_sequence(const Model& model);

}  // namespace lapidary
