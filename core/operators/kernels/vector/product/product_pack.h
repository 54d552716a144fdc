// SPDX-License-Identifier: Apache-2.0
// How the operands of product tiles are packed; part of product.cpp of each instruction set.
#pragma once

#include <cstdint>

namespace lapidary::LAPIDARY_ISA {

void pack_rows(const float* a, std::int64_t stride, bool transposed, std::int64_t rows,
               std::int64_t inner, float* to);
void pack_panel(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
                std::int64_t columns, std::int64_t width, float* to);

}  // namespace lapidary::LAPIDARY_ISA
