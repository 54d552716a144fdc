// SPDX-License-Identifier: Apache-2.0
// A kernel of float32 for nodes of 16-bit floats.
#pragma once

#include <memory>

#include "kernels/kernel.h"

namespace lapidary {

enum class Widened : std::uint8_t { halves, halves_and_masks };
/// Widens inputs of float16 and bfloat16, and of int64, int32 and bool where those are floats to
/// `inner`, runs that, and rounds its float32 outputs to `result`, where that is one of 16 bits.
std::unique_ptr<Kernel> widened_kernel(std::unique_ptr<Kernel> inner, DType result,
                                       Widened widened = Widened::halves);
/// True when input 0 is known to be of 16-bit floats.
bool reads_halves(const KernelRequest& request);

}  // namespace lapidary
