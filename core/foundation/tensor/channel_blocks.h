// SPDX-License-Identifier: Apache-2.0
// Blocked channel layouts (NCHWc): a tensor declared [N, C, H, W] with C rounded up to a multiple
// of the block b whose elements lie as N x C/b x H x W x b. Channels that only fill the last block
// up hold zeros after a reorder, and anything after an operator. Weights of convolutions are
// declared [O, I, H, W] and lie as
//   OIHWBiBo   O/b x I/b x H x W x b (input channel) x b (output channel)
//   OIHWBo     O/b x I x H x W x b (output channel), for few input channels and depthwise
#pragma once

#include <algorithm>
#include <cstdint>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

constexpr std::int64_t rounded_to_block(std::int64_t channels, std::int64_t block) {
    return (channels + block - 1) / block * block;
}

/// One image: `from` [channels, size] to [ceil(channels / block), size, block], filled up with
/// zeros; back drops what is beyond `channels`.
void block_channels(const float* from, float* to, std::int64_t channels, std::int64_t size,
                    std::int64_t block);
void unblock_channels(const float* from, float* to, std::int64_t channels, std::int64_t size,
                      std::int64_t block);
/// The same with the plain image channels last: [size, channels].
void block_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size,
                         std::int64_t block);
void unblock_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size,
                           std::int64_t block);

/// A blocked weight is made of squares, in this order: a block of output channels by a block of
/// input channels (`depth` of them side by side), all taps. They fit the first-level cache, where a
/// column of the plain weight strides through memory.
struct BlockedWeightSquares {
    BlockedWeightSquares(const Shape& plain, std::int64_t block_size, bool blocks_inputs)
        : outputs(plain[0]), inputs(plain[1]), taps(plain[2] * plain[3]), block(block_size),
          depth(blocks_inputs ? block_size : 1) {}
    std::int64_t across() const { return (inputs + depth - 1) / depth; }
    std::int64_t count() const { return (outputs + block - 1) / block * across(); }
    std::int64_t size() const { return taps * depth * block; }
    /// Whether it has no fill.
    bool is_whole(std::int64_t square) const {
        return square / across() * block + block <= outputs &&
               square % across() * depth + depth <= inputs;
    }

    /// Those in [begin, end): `element(blocked, plain)` gets both offsets, the first one from the
    /// first square on. Places that are fill have none in the plain weight and are left out.
    template <typename Element>
    void walk(std::int64_t begin, std::int64_t end, const Element& element) const {
        std::int64_t to = 0;
        for (std::int64_t square = begin; square < end; ++square) {
            const std::int64_t o = square / across() * block, i = square % across() * depth;
            const std::int64_t lanes = std::min(block, outputs - o),
                               rows = std::min(depth, inputs - i);
            for (std::int64_t tap = 0; tap < taps; ++tap, to += depth * block)
                for (std::int64_t row = 0; row < rows; ++row)
                    for (std::int64_t lane = 0; lane < lanes; ++lane)
                        element(to + row * block + lane,
                                ((o + lane) * inputs + i + row) * taps + tap);
        }
    }

    std::int64_t outputs, inputs, taps, block, depth;
};

/// Throws invalid_input unless it is f32 of rank 4.
void require_f32_weight(const Tensor& weight);
/// Back to plain [O, I, H, W], fill included. Throws invalid_input when the channels are no whole
/// blocks.
Tensor unblocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs);
/// A vector of f32 filled up with zeros to whole blocks.
Tensor filled_to_block(const Tensor& vector, std::int64_t block);

}  // namespace lapidary
