// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/normalization/normalization.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// What SkipLayerNormalization, or SkipSimplifiedLayerNormalization, does with its inputs: all but
/// where results go. Throws DeviceError.
NormalizeArgs skipped_rows(const KernelRun& run, float epsilon, bool is_root_mean_square);
/// Of what is added, leading axes alone may repeat. Throws Refusal.
void require_leading_skip(const NodeView& node);

}  // namespace lapidary::cuda
