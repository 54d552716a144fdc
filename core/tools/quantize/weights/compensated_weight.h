// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/calibration/input_moments.h"
#include "rewrite/quantized_weight.h"

namespace lapidary {

/// The weight with all elements on the grid of `format`. The elements of an output compensate for
/// the rounding errors of the elements before them; inputs with large second moments come first
/// (Frantar et al. 2022, arXiv 2210.17323). The elements that determine a scale do not change, so
/// that quantizing the result gives the same integers. `output_axis`: 0 or 1, the axis of the
/// outputs; `moments` belong to the other axes. Outputs are spread over `threads`; their number
/// does not change the result. Throws cancelled.
Tensor compensated_weight(const Tensor& weight, std::int64_t output_axis,
                          const InputMoments& moments, const WeightFormat& format,
                          ThreadPool& threads, const CancelToken& cancel = {});

}  // namespace lapidary
