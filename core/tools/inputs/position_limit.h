// SPDX-License-Identifier: Apache-2.0
// The number of positions that the tables of a model have rows for.
#pragma once

#include <cstdint>
#include <optional>

#include <lapidary/graph/model.h>

namespace lapidary {

/// The rows of the smallest table that the graph indexes by positions or cuts to a computed length:
/// embeddings of positions, masks for the longest text. Less two rows, since some models count
/// positions from 2. Nothing: the graph has no such table.
std::optional<std::int64_t> longest_sequence(const Model& model);

}  // namespace lapidary
