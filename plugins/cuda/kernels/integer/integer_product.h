// SPDX-License-Identifier: Apache-2.0
// The plan of a product of bytes: the kernel, what is packed first, and the split along k.
#pragma once

#include "kernels/integer/byte_pack.h"
#include "kernels/integer/quantized.h"

namespace lapidary::cuda {

enum class ByteLoop : std::uint8_t { none, few_rows, small, large };

struct IntegerProductPlan {
    ByteLoop loop = ByteLoop::none;
    bool b_along_k = false;
    bool packs_a = false, packs_b = false;
    BytePack a, b;  // without memory
    std::int32_t parts = 1, part_depth = 0;
    // working memory, packed matrices first
    std::int64_t packed_bytes = 0, partial_bytes = 0;
};
IntegerProductPlan plan_of(const IntegerProductArgs& args);

/// Most rows of the kernel that reads the weights only once. Rows of a are read in words of 4 bytes
/// along k.
inline constexpr int byte_rows = 8;
void launch_few_byte_rows(Queue& queue, const IntegerProductArgs& args);

}  // namespace lapidary::cuda
