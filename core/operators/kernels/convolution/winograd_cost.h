// SPDX-License-Identifier: Apache-2.0
// Decides whether and how a 3 x 3 convolution uses Winograd's minimal filtering.
#pragma once

#include <cstdint>

#include "base/cpu_features.h"

namespace lapidary::winograd {

struct Problem {
    // channels filled up to blocks
    std::int64_t images, output_height, output_width, inputs, outputs;
};

/// Microseconds that one core is expected to need: operations at the rate of its vectors or the
/// weights from memory, whichever takes longer, plus the transforms' traffic. `m` is 4, 2 or 0
/// (direct).
double expected_us(const Problem& problem, std::int64_t m, Isa isa);
/// 4 or 2, or 0 where the direct convolution is expected to be as fast.
std::int64_t best_tile(const Problem& problem, Isa isa);
/// Tiles handled at once: few enough for U, V and M to stay in L2, many enough to read a large U
/// seldom.
std::int64_t tiles_at_once(const Problem& problem, std::int64_t m);

}  // namespace lapidary::winograd
