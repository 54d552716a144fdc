// SPDX-License-Identifier: Apache-2.0
// Makers of kernels, by operator in operators.inc.
#pragma once

#include "node_kernel.h"

namespace lapidary::cuda {

#define LAPIDARY_CUDA_OPERATOR(domain, op, maker) \
    std::unique_ptr<NodeKernel> maker(const NodeView& node, Making& making);
#include "operators/operators.inc"
#undef LAPIDARY_CUDA_OPERATOR

}  // namespace lapidary::cuda
