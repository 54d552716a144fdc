// SPDX-License-Identifier: Apache-2.0
#include "tensor/channel_blocks.h"

#include <algorithm>
#include <cstring>

#include <lapidary/error.h>

#include "base/mapping_guard.h"

namespace lapidary {
namespace {

/// Walks a blocked weight from its first element to its last. The plain one, [outputs, inputs, taps], is taken in squares of
/// whole blocks, which fit the first-level cache, because a column of it strides through memory.
/// `element(blocked, plain)` gets both offsets; places that are fill have none in the plain weight and are left out.
template <typename Element>
void for_each_blocked(std::int64_t outputs, std::int64_t inputs, std::int64_t taps, std::int64_t block, bool blocks_inputs, const Element& element) {
    const std::int64_t depth = blocks_inputs ? block : 1;  // input channels side by side
    std::int64_t to = 0;
    for (std::int64_t o = 0; o < outputs; o += block) {
        const std::int64_t lanes = std::min(block, outputs - o);
        for (std::int64_t i = 0; i < inputs; i += depth) {
            const std::int64_t rows = std::min(depth, inputs - i);
            for (std::int64_t tap = 0; tap < taps; ++tap, to += depth * block)
                for (std::int64_t row = 0; row < rows; ++row)
                    for (std::int64_t lane = 0; lane < lanes; ++lane)
                        element(to + row * block + lane, ((o + lane) * inputs + i + row) * taps + tap);
        }
    }
}

void require_weight(const Tensor& weight) {
    if (weight.dtype() != DType::f32 || weight.rank() != 4) fail_input("a blocked weight is f32 of rank 4, found " + to_string(weight.shape()));
}

}  // namespace

void block_channels(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block, to += size * block) {
        const std::int64_t lanes = std::min(block, channels - first);
        if (lanes < block) std::fill_n(to, size * block, 0.0f);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const float* row = from + (first + lane) * size;
            for (std::int64_t i = 0; i < size; ++i) to[i * block + lane] = row[i];
        }
    }
}

void unblock_channels(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block, from += size * block) {
        const std::int64_t lanes = std::min(block, channels - first);
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            float* row = to + (first + lane) * size;
            for (std::int64_t i = 0; i < size; ++i) row[i] = from[i * block + lane];
        }
    }
}

void block_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block)
        for (std::int64_t i = 0; i < size; ++i, to += block) {
            const std::int64_t lanes = std::min(block, channels - first);
            std::copy_n(from + i * channels + first, lanes, to);
            std::fill(to + lanes, to + block, 0.0f);
        }
}

void unblock_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block) {
    for (std::int64_t first = 0; first < channels; first += block)
        for (std::int64_t i = 0; i < size; ++i, from += block) std::copy_n(from, std::min(block, channels - first), to + i * channels + first);
}

Tensor blocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs) {
    require_weight(weight);
    Tensor blocked(DType::f32, {rounded_to_block(weight.dim(0), block), blocks_inputs ? rounded_to_block(weight.dim(1), block) : weight.dim(1),
                                weight.dim(2), weight.dim(3)});
    const std::byte* from = weight.bytes().data();  // at any address
    float* to = blocked.mutable_data<float>().data();
    if (blocked.size() != weight.size()) std::fill_n(to, blocked.size(), 0.0f);
    for_each_blocked(weight.dim(0), weight.dim(1), weight.dim(2) * weight.dim(3), block, blocks_inputs,
                     [&](std::int64_t at, std::int64_t plain) { std::memcpy(to + at, from + plain * std::int64_t{sizeof(float)}, sizeof(float)); });
    MappingGuard::drop_pages(from, weight.byte_size());  // read for the last time, most likely
    return blocked;
}

Tensor unblocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs) {
    require_weight(weight);
    if (weight.dim(0) % block != 0 || (blocks_inputs && weight.dim(1) % block != 0))
        fail_input("a weight " + to_string(weight.shape()) + " is not made of whole blocks of " + std::to_string(block) + " channels");
    Tensor plain(DType::f32, weight.shape());
    const float* from = weight.data<float>().data();
    float* to = plain.mutable_data<float>().data();
    for_each_blocked(weight.dim(0), weight.dim(1), weight.dim(2) * weight.dim(3), block, blocks_inputs,
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
