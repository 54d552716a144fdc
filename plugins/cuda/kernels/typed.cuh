// SPDX-License-Identifier: Apache-2.0
// Selects the instance of a kernel template by values that are known at run time.
#pragma once

#include "gpu.h"

namespace lapidary::cuda {

/// Calls use<n>() for the first n of `pieces` that is at least `least`.
template <int... pieces, typename Use>
void with_pieces(int least, const Use& use) {
    bool is_found = false;
    ((!is_found && pieces >= least ? (is_found = true, use.template operator()<pieces>()) : void()),
     ...);
}

/// Calls use<T>() for the type of that number: f32, f16 or bf16.
template <typename Use>
void with_float_type(std::int32_t type, const Use& use) {
    if (type == 1) use.template operator()<float>();
    else if (type == 10) use.template operator()<half_t>();
    else use.template operator()<bfloat_t>();
}

}  // namespace lapidary::cuda
