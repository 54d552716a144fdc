// SPDX-License-Identifier: Apache-2.0
// Weights in blocks as MatMulNBits of com.microsoft stores them.
#pragma once

#include <span>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// `values`: u8 [N, blocks, block * bits / 8], the first of two elements in the low nibble;
/// `scales`: f32 [N, blocks] (the operator takes it in any order of these); `zero_points`: u8 [N,
/// ceil(blocks * bits / 8)], no tensor where symmetric.
struct BlockWeight {
    Tensor values, scales, zero_points;
};

/// Number `index` of packed ones of `bits` (4 or 8) each, the first of a byte in its low bits.
void put_level(std::span<std::uint8_t> bytes, std::size_t index, int bits, int value);
int level_at(std::span<const std::uint8_t> bytes, std::size_t index, int bits);

/// ONNX Runtime's block quantizer (MatMulNBitsQuantizer, DEFAULT). `weight`: f32 [K, N]; rows
/// beyond K are the zero point. Asymmetric: scale = (max - min) / (2^bits - 1) with 0 in the range.
/// Symmetric: the element of largest magnitude / -2^(bits-1), so that it is kept exactly. Throws
/// invalid_input for other bits than 4 and 8, or a block that is no power of two from 16 to 256;
/// cancelled.
BlockWeight quantize_blocks(const Tensor& weight, int bits, std::int64_t block, bool symmetric,
                            const CancelToken& cancel = {});

/// f32 [K, N]: what the integers stand for.
Tensor dequantized_blocks(const BlockWeight& weight, std::int64_t rows, int bits,
                          std::int64_t block);

}  // namespace lapidary
