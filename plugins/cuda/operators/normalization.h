// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/normalization/normalization.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// The arguments for SkipLayerNormalization or SkipSimplifiedLayerNormalization, except for the
/// outputs. Throws DeviceError.
NormalizeArgs skipped_rows(const KernelRun& run, float epsilon, bool is_root_mean_square);
/// Throws Refusal unless the skip input broadcasts only along leading axes.
void require_leading_skip(const NodeView& node);

}  // namespace lapidary::cuda
