// SPDX-License-Identifier: Apache-2.0
// Past keys and values of a beam search that shares one cache among the beams of a batch.
#pragma once

#include "kernels/kernel.h"

namespace lapidary::reference {

/// `rows` [batch * beams, heads, capacity, size] (f32) with each of the first `past` positions
/// taken from the beam of the same batch that `indirection` [batch, beams, at least past] names for
/// it. Throws invalid_input for other shapes and for beams that do not exist.
Tensor rows_of_beams(KernelContext& context, const Tensor& rows, std::int64_t past,
                     const Tensor& indirection);

}  // namespace lapidary::reference
