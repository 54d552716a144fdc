// SPDX-License-Identifier: Apache-2.0
// Constant weights of few bits with scales per block of k, as MatMulNBits has them, packed for products.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/kernel.h"
#include "kernels/vector/block_weight.h"

namespace lapidary {

struct BlockWeightMatrix {
    const BlockWeightKernels* kernels = nullptr;
    std::int64_t inner = 0, columns = 0, blocks = 0, block = 0;
    int bits = 4;
    std::shared_ptr<const PackedWeight> words, scales, zeros;
    bool has_byte_zeros = false;
    float zero = 0;  // where `zeros` is none

    std::int64_t padded_inner() const { return blocks * block; }
    std::int64_t words_per_column() const { return padded_inner() * bits / 32; }
    std::int64_t groups() const { return (columns + kernels->group - 1) / kernels->group; }
    BlockWeightGroup group(std::int64_t index) const;
};

/// Inputs 1 to 3 of MatMulNBits packed for this node; nothing, with `reason`, for what the kernel leaves to the reference.
std::unique_ptr<BlockWeightMatrix> pack_block_weight(const KernelRequest& request, std::string& reason);

}  // namespace lapidary
