// SPDX-License-Identifier: Apache-2.0
// MatMulNBits nodes for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "support/kernel_compare.h"
#include "support/kernel_harness.h"

namespace lapidary::test {

enum class BlockZeros { none, packed, real };

struct BlockWeightCase {
    std::int64_t k, n, block;
    int bits = 4;
    BlockZeros zeros = BlockZeros::none;
    bool bias = false;
};

/// The same pseudo-random bytes each time.
inline Tensor block_bytes(Shape shape, std::uint32_t seed) {
    Tensor t(DType::u8, std::move(shape));
    for (std::uint8_t& v : t.mutable_data<std::uint8_t>())
        v = static_cast<std::uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
    return t;
}

inline Tensor as_type(const Tensor& t, DType dtype) {
    return t.dtype() == dtype
               ? t
               : run_kernel_tensor("", "Cast", 19, {t}, {attribute("to", static_cast<int>(dtype))});
}

inline std::vector<Attribute> block_weight_attributes(const BlockWeightCase& c,
                                                      int accuracy_level = 0) {
    return {attribute("K", static_cast<int>(c.k)), attribute("N", static_cast<int>(c.n)),
            attribute("block_size", static_cast<int>(c.block)), attribute("bits", c.bits),
            attribute("accuracy_level", accuracy_level)};
}

/// A [..., k] and the case's weights, scales, zero points and bias, of A's type.
inline std::vector<RuntimeValue> block_weight_inputs(const BlockWeightCase& c, const Tensor& a) {
    const std::int64_t blocks = (c.k + c.block - 1) / c.block, per_byte = 8 / c.bits;
    const DType dtype = a.dtype();
    const float step = 1.0f / static_cast<float>(1 << (c.bits - 1));
    std::vector<RuntimeValue> inputs{
        a, block_bytes({c.n, blocks, c.block / per_byte}, 5),
        as_type(noise({c.n, blocks}, 7, 0.02f * step, 0.05f * step), dtype)};
    if (c.zeros == BlockZeros::packed)
        inputs.emplace_back(block_bytes({c.n, (blocks + per_byte - 1) / per_byte}, 11));
    else if (c.zeros == BlockZeros::real)
        inputs.emplace_back(as_type(noise({c.n, blocks}, 13, 3, 7.5f), dtype));
    else if (c.bias) inputs.emplace_back();
    if (c.bias) {
        inputs.emplace_back();
        inputs.emplace_back(as_type(noise({c.n}, 17), dtype));
    }
    return inputs;
}

}  // namespace lapidary::test
