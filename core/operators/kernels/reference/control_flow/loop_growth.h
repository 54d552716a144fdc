// SPDX-License-Identifier: Apache-2.0
// What a Loop whose number of iterations is known would hold in the end, told by the shapes of its
// body before it runs.
#pragma once

#include <cstdint>
#include <span>

#include <lapidary/graph/graph.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary::reference {

/// `carried`: the values that the first iteration gets. Follows their sizes through as many of the
/// `iterations` as tell (a size that doubles is beyond any memory after 64 of them) and throws
/// limit_exceeded naming value, type and iteration where one would take more than `most_bytes`.
/// Says nothing where the body's shapes do not follow from its inputs' shapes.
void require_room_for_growth(const Graph& body, std::span<const RuntimeValue> carried,
                             std::int64_t iterations, std::uint64_t most_bytes);

}  // namespace lapidary::reference
