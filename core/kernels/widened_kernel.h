// SPDX-License-Identifier: Apache-2.0
// A kernel of float32 for nodes of 16-bit floats.
#pragma once

#include <memory>

#include "kernels/kernel.h"

namespace lapidary {

/// Widens inputs of float16 and bfloat16, runs `inner`, and rounds its float32 outputs to `result`, where that is one
/// of those.
std::unique_ptr<Kernel> widened_kernel(std::unique_ptr<Kernel> inner, DType result);
/// True when input 0 is known to be of 16-bit floats.
bool reads_halves(const KernelRequest& request);

}  // namespace lapidary
