// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/tensor/tensor.h>

namespace lapidary::passes {

/// Values of i8 and their zero points as u8: 128 more, which dequantizes to the same.
Tensor shifted_to_u8(const Tensor& t);

}  // namespace lapidary::passes
