// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/reduced_axes.h"

#include <string>

#include <lapidary/base/error.h>

#include "ops/geometry/broadcast.h"

namespace lapidary {

AxisSet reduced_axes(std::span<const std::int64_t> axes, std::size_t rank,
                     bool noop_with_empty_axes) {
    constexpr std::size_t most = 64;
    if (rank > most)
        fail_limit("a tensor of " + std::to_string(rank) +
                   " axes cannot be reduced, the limit is " + std::to_string(most));
    if (axes.empty()) return noop_with_empty_axes || rank == 0 ? 0 : ~AxisSet{0} >> (most - rank);
    AxisSet reduced = 0;
    for (const std::int64_t axis : axes) {
        const AxisSet bit = AxisSet{1} << normalize_axis(axis, static_cast<int>(rank));
        if (reduced & bit) fail_input("axis " + std::to_string(axis) + " is listed twice");
        reduced |= bit;
    }
    return reduced;
}

}  // namespace lapidary
