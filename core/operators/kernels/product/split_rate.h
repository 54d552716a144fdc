// SPDX-License-Identifier: Apache-2.0
// Whether tile registers are worth their while on this CPU.
#pragma once

#include "kernels/vector/product/split_tiles.h"

namespace lapidary {

/// Whether a tile of six products of parts takes less time than the same product in float32. It is
/// measured once, within a millisecond; later calls give the same answer.
bool splitting_is_faster(const SplitTileKernels& kernels);

}  // namespace lapidary
