// SPDX-License-Identifier: Apache-2.0
// Product tiles whose right operand is stored in 16 bits; part of product.cpp of each instruction
// set.
#pragma once

#include "kernels/vector/product/product.h"

namespace lapidary::LAPIDARY_ISA {

void multiply_half(const ProductTile& tile);
void widen_halves(const std::uint16_t* from, HalfFormat format, std::int64_t inner,
                  std::int64_t width, float* to);
void round_to_bf16(const float* from, std::int64_t step, std::int64_t inner, std::int64_t padded,
                   std::uint16_t* to);

}  // namespace lapidary::LAPIDARY_ISA
