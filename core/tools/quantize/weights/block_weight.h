// SPDX-License-Identifier: Apache-2.0
// Weights in blocks, as the operator com.microsoft MatMulNBits stores them.
#pragma once

#include <span>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// `values`: u8 [N, blocks, block * bits / 8], the first of two elements in the low nibble.
/// `scales`: f32 [N, blocks] (the operator also takes other shapes of N * blocks elements).
/// `zero_points`: u8 [N, ceil(blocks * bits / 8)]; no tensor if symmetric.
struct BlockWeight {
    Tensor values, scales, zero_points;
};

/// Writes element `index` of packed elements of `bits` (4 or 8) each; the first in a byte takes the
/// low bits.
void put_level(std::span<std::uint8_t> bytes, std::size_t index, int bits, int value);
int level_at(std::span<const std::uint8_t> bytes, std::size_t index, int bits);

/// Blocks of zeros for a weight f32 [K, N], with zero points. Throws as quantize_blocks().
BlockWeight empty_blocks(const Tensor& weight, int bits, std::int64_t block);

/// ONNX Runtime's block quantizer (MatMulNBitsQuantizer, DEFAULT). `weight`: f32 [K, N]; rows
/// beyond K hold the zero point. Asymmetric: scale = (max - min) / (2^bits - 1), with 0 in the
/// range. Symmetric: scale = the element of largest magnitude / -2^(bits-1), so that this element
/// is exact. Throws invalid_input for bits other than 4 and 8, or a block that is not a power of
/// two from 16 to 256; cancelled.
BlockWeight quantize_blocks(const Tensor& weight, int bits, std::int64_t block, bool symmetric,
                            const CancelToken& cancel = {});

/// The f32 weight [K, N] that the integers represent.
Tensor dequantized_blocks(const BlockWeight& weight, std::int64_t rows, int bits,
                          std::int64_t block);

}  // namespace lapidary
