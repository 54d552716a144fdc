// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// The elements of a float16 or bfloat16 tensor as float32. Large ones are deferred: a kernel that
/// packs them reads parts of them, so that memory never holds them all in float32 twice.
Tensor widened_constant(const Tensor& half);

}  // namespace lapidary
