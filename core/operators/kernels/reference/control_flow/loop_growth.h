// SPDX-License-Identifier: Apache-2.0
// What a Loop with a known number of iterations would hold in the end, derived from the shapes of
// its body before it runs.
#pragma once

#include <cstdint>
#include <span>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary::reference {

/// `carried`: the values that the first iteration gets. Follows their sizes through the
/// `iterations`, as far as needed (a size that doubles is beyond any memory after 64 of them).
/// Throws limit_exceeded naming value, type and iteration if one would take more than `most_bytes`.
/// Does nothing if the body's shapes do not follow from its inputs' shapes.
void require_room_for_growth(const Graph& body, std::span<const RuntimeValue> carried,
                             std::int64_t iterations, std::uint64_t most_bytes);

}  // namespace lapidary::reference
