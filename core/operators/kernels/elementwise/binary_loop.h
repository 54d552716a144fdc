// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/typed_rows.h"

namespace lapidary {

/// The broadcast shape of two operands without a search where they agree or one is a scalar.
Shape combined_shape(const Tensor& a, const Tensor& b);

/// y = f(a, b) with y of the broadcast shape; elements of a and b are `width` bytes, those of y
/// `out_width`. False, with nothing done, for shapes that BroadcastWalk does not hold.
bool combine_rows(KernelContext& context, const Tensor& a, const Tensor& b, Tensor& y,
                  const RowForms& f, std::int64_t width, std::int64_t out_width,
                  std::int64_t grain);

}  // namespace lapidary
