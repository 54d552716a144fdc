// SPDX-License-Identifier: Apache-2.0
// How a product of bytes is computed: which kernel, what is packed first, and how it is split along
// k.
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
    std::int64_t packed_bytes = 0, partial_bytes = 0;  // of working memory, packed matrices first
};
IntegerProductPlan plan_of(const IntegerProductArgs& args);

/// At most 8 rows, whose rows of a lie in words of 4 bytes along k: the weights are read once.
inline constexpr int byte_rows = 8;
void launch_few_byte_rows(Queue& queue, const IntegerProductArgs& args);

}  // namespace lapidary::cuda
