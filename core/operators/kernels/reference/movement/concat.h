// SPDX-License-Identifier: Apache-2.0
// What Concat and Split check and work out before they copy.
#pragma once

#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// The output's shape when the context's inputs are put one after the other along `axis` (made
/// non-negative here).
Shape concat_shape(KernelContext& context, std::int64_t& axis);
/// How many elements of `axis` (non-negative) each output of a Split gets, from its attribute, its
/// input or their number.
std::vector<std::int64_t> split_sizes(KernelContext& context, std::size_t axis);

}  // namespace lapidary::reference
