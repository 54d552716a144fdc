// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/block_weight_digits.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "kernels/integer/workspace.h"
#include "kernels/vector/integer/block_weight_dot.h"

namespace lapidary {
namespace {

constexpr std::int64_t digits = BlockDotKernels::digits, widest_group = 64;

/// A group's columns of c from the products of the digits, the lowest digit last. False: one of
/// them is not finite.
bool add_up(const float* products, std::int64_t stride, std::int64_t columns, const float* bias,
            float* c) {
    const float *high = products, *middle = products + stride, *low = products + 2 * stride;
    float rest = 0;  // of each sum: 0, or NaN where it is not finite
    for (std::int64_t i = 0; i < columns; ++i) {
        c[i] = low[i] + middle[i] + high[i];
        rest += c[i] - c[i];
    }
    if (bias)
        for (std::int64_t i = 0; i < columns; ++i) c[i] += bias[i];
    return rest == 0;
}

}  // namespace

bool digits_pay(const BlockWeightMatrix& matrix) {
    const BlockDotKernels& kernels = block_dot_kernels();
    // up to which a float holds every integer
    constexpr std::int64_t exact = 1 << 24, most_digit = 128;
    return kernels.digits_are_fast && kernels.group <= widest_group &&
           (matrix.bits == 4 || matrix.bits == 8) &&
           matrix.block <= exact / most_digit / ((1 << matrix.bits) - 1);
}

bool multiply_by_digits(KernelContext& context, const BlockWeightMatrix& matrix, const float* a,
                        const float* bias, float* c) {
    const BlockDotKernels& kernels = block_dot_kernels();
    const std::int64_t padded = matrix.padded_inner(), blocks = matrix.blocks;
    const auto count = static_cast<std::size_t>(digits * blocks);
    enum class Part : std::uint8_t { bytes, scales, sums };
    Workspace<Part> work(context, {{Part::bytes, static_cast<std::size_t>(digits * padded)},
                                   {Part::scales, count * sizeof(float)},
                                   {Part::sums, count * sizeof(float)}});
    BlockDotTile all;
    all.rows = static_cast<int>(digits);
    all.vectors = static_cast<int>(kernels.group / kernels.vector);
    all.a_stride = padded;
    all.a_block_stride = blocks;
    all.c_stride = widest_group;
    auto* const bytes = work.part<std::int8_t>(Part::bytes);
    float *const scales = work.part<float>(Part::scales), *const sums =
                                                              work.part<float>(Part::sums);
    if (!kernels.prepare_digits(a, matrix.inner, blocks, matrix.block, matrix.bits, bytes, scales,
                                sums))
        return false;
    all.a = bytes;
    all.a_scales = scales;
    all.a_sums = sums;
    const double microseconds =
        static_cast<double>(padded) * static_cast<double>(matrix.columns) / 40e3;  // about
    std::atomic<bool> is_finite = true;
    for_each_group(context, matrix, microseconds, [&](std::int64_t index) {
        std::array<float, digits * widest_group> products;
        const std::int64_t first = index * kernels.group;
        BlockDotTile tile = all;
        tile.weight = matrix.group(index);
        tile.columns = std::min(kernels.group, matrix.columns - first);
        tile.c = products.data();
        kernels.multiply(tile);
        if (!add_up(products.data(), widest_group, tile.columns, bias ? bias + first : nullptr,
                    c + first))
            is_finite.store(false, std::memory_order_relaxed);
    });
    return is_finite;
}

}  // namespace lapidary
