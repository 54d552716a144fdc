// SPDX-License-Identifier: Apache-2.0
// A kernel of float32 for nodes of 16-bit floats.
#pragma once

#include <memory>

#include "kernels/kernel.h"

namespace lapidary {

enum class Widened : std::uint8_t { halves, halves_and_masks };
/// A kernel that converts inputs of float16 and bfloat16 (and of int64, int32 and bool where
/// `inner` reads floats) to float32, runs `inner`, and rounds its float32 outputs to `result` if
/// that is a 16-bit type.
std::unique_ptr<Kernel> widened_kernel(std::unique_ptr<Kernel> inner, DType result,
                                       Widened widened = Widened::halves);
/// True when input 0 is known to be of 16-bit floats.
bool reads_halves(const KernelRequest& request);

}  // namespace lapidary
