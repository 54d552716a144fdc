// SPDX-License-Identifier: Apache-2.0
// Transposes between plain channels and blocks of channels; tensor/channel_blocks.h describes the
// layouts.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

struct ReorderKernels {
    /// One block of an image: `from` [rows, ...] with `from_stride` elements from channel to
    /// channel, of which positions [0, count) go to `to` [count, block]. Lanes from `rows` (at most
    /// block) on become 0. block is 8 or 16. `from` may lie at any address.
    void (*block)(const float* from, std::int64_t from_stride, std::int64_t rows,
                  std::int64_t count, float* to, std::int64_t block);
    /// The way back: `from` [count, block] to the first `count` positions of `rows` channels.
    void (*unblock)(const float* from, std::int64_t rows, std::int64_t count, float* to,
                    std::int64_t to_stride, std::int64_t block);
    /// As both above with the channels of the plain image last: its positions are `stride` elements
    /// apart.
    void (*block_last)(const float* from, std::int64_t stride, std::int64_t rows,
                       std::int64_t count, float* to, std::int64_t block);
    void (*unblock_last)(const float* from, std::int64_t rows, std::int64_t count, float* to,
                         std::int64_t stride, std::int64_t block);
};
LAPIDARY_PER_ISA(ReorderKernels, reorder_kernels)

}  // namespace lapidary
