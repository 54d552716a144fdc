// SPDX-License-Identifier: Apache-2.0
// From what arguments say to what kernels are compiled for.
#pragma once

#include "gpu.h"

namespace lapidary::cuda {

/// Calls use<pieces>() for the first of `pieces` that is not below `least`.
template <int... pieces, typename Use>
void with_pieces(int least, const Use& use) {
    bool is_found = false;
    ((!is_found && pieces >= least ? (is_found = true, use.template operator()<pieces>()) : void()),
     ...);
}

/// Calls use<T>() for the type of that number, which is one of the three.
template <typename Use>
void with_float_type(std::int32_t type, const Use& use) {
    if (type == 1) use.template operator()<float>();
    else if (type == 10) use.template operator()<half_t>();
    else use.template operator()<bfloat_t>();
}

}  // namespace lapidary::cuda
