// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/calibration/input_moments.h"
#include "quantize/weights/fitted_blocks.h"

namespace lapidary {

/// Quantizes a weight f32 [K, N] in the scales of fitted_blocks(), rounding the rows of the largest
/// inputs first. Rows that come later compensate for the errors of earlier ones, based on the
/// second moments of the inputs (Frantar et al. 2022, arXiv 2210.17323, with its "act-order" and
/// groups that are fixed beforehand). Empty if the moments are not those of K inputs or cannot be
/// inverted. Columns are spread over `threads`; their number does not change the result. Throws
/// cancelled.
std::optional<BlockWeight> ordered_blocks(const Tensor& weight, const BlockKind& kind,
                                          const InputMoments& moments, ThreadPool& threads,
                                          const CancelToken& cancel = {});

}  // namespace lapidary
