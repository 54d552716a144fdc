// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// The elements of a float32 tensor rounded to `half`, float16 or bfloat16. It is deferred: a
/// kernel that packs its weight rounds as it packs.
Tensor narrowed_constant(const Tensor& wide, DType half);

}  // namespace lapidary
