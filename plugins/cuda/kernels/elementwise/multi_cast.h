// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

inline constexpr int most_casts = 64;

/// Casts of several tensors between float32 and 16-bit floats by one launch. A finite value stays
/// finite: where it would overflow it becomes the largest number of the type.
struct MultiCastArgs {
    std::int32_t half_type = 10;  // f16 or bf16
    bool to_half = true;          // else to float32
    std::int32_t tensors = 0;
    struct Tensor {
        const void* from;
        void* to;
        std::int32_t elements;
    } tensor[most_casts] = {};
};
/// One launch casts all tensors of about the usual size; each much larger one has its own launch.
void launch_multi_cast(Queue& queue, const MultiCastArgs& args);

}  // namespace lapidary::cuda
