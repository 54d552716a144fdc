// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

#include "base/threads/thread_pool.h"
#include "quantize/calibration/input_moments.h"
#include "quantize/weights/quantized_weight.h"

namespace lapidary {

/// The weight with all elements on the grid of `format`: each rounding error is made up for by the
/// elements of the same output that come after it, those of large inputs first (Frantar et al.
/// 2022, arXiv 2210.17323, with the order of falling second moments). The elements that a scale
/// comes from stay, so that quantizing the result reproduces it. `output_axis`: 0 or 1, of the
/// outputs; the other axes are the inputs that `moments` are of. Outputs are spread over `threads`,
/// whose number does not change the result. Throws cancelled.
Tensor compensated_weight(const Tensor& weight, std::int64_t output_axis,
                          const InputMoments& moments, const WeightFormat& format,
                          ThreadPool& threads, const CancelToken& cancel = {});

}  // namespace lapidary
