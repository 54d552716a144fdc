// SPDX-License-Identifier: Apache-2.0
#include "tensor/channel_blocks.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary {
void block_channels(const float* from, float* to, std::int64_t channels, std::int64_t size,
                    std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block, to += size * block) {
        const std::int64_t lanes = std::min(block, channels - first);
        if (lanes < block) std::fill_n(to, size * block, 0.0f);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* row = from + (first + lane) * size;
            for (std::int64_t i = 0; i < size; ++i) to[i * block + lane] = row[i];
        }
    }
}

void unblock_channels(const float* from, float* to, std::int64_t channels, std::int64_t size,
                      std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block, from += size * block) {
        const std::int64_t lanes = std::min(block, channels - first);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            float* row = to + (first + lane) * size;
            for (std::int64_t i = 0; i < size; ++i) row[i] = from[i * block + lane];
        }
    }
}

void block_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size,
                         std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block)
        for (std::int64_t i = 0; i < size; ++i, to += block) {
            const std::int64_t lanes = std::min(block, channels - first);
            std::copy_n(from + i * channels + first, lanes, to);
            std::fill(to + lanes, to + block, 0.0f);
        }
}

void unblock_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size,
                           std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block)
        for (std::int64_t i = 0; i < size; ++i, from += block)
            std::copy_n(from, std::min(block, channels - first), to + i * channels + first);
}

void require_f32_weight(const Tensor& weight) {
    if (weight.dtype() != DType::f32 || weight.rank() != 4)
        fail_input("a blocked weight is f32 of rank 4, found " + to_string(weight.shape()));
}

Tensor unblocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs) {
    require_f32_weight(weight);
    if (weight.dim(0) % block != 0 || (blocks_inputs && weight.dim(1) % block != 0))
        fail_input("a weight " + to_string(weight.shape()) + " is not made of whole blocks of " +
                   std::to_string(block) + " channels");
    Tensor plain(DType::f32, weight.shape());
    const float* from = weight.data<float>().data();
    float* to = plain.mutable_data<float>().data();
    const BlockedWeightSquares squares(weight.shape(), block, blocks_inputs);
    squares.walk(0, squares.count(),
                 [&](std::int64_t at, std::int64_t whole) { to[whole] = from[at]; });
    return plain;
}

Tensor filled_to_block(const Tensor& vector, std::int64_t block) {
    Tensor filled(DType::f32, {rounded_to_block(vector.size(), block)});
    const auto from = vector.data<float>();
    const auto to = filled.mutable_data<float>();
    std::ranges::fill(to, 0.0f);
    std::ranges::copy(from, to.begin());
    return filled;
}

}  // namespace lapidary
