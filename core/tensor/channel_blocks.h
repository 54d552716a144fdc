// SPDX-License-Identifier: Apache-2.0
// Blocked channel layouts (NCHWc): a tensor declared [N, C, H, W] with C rounded up to a multiple of the block b whose
// elements lie as N x C/b x H x W x b. Channels that only fill the last block up hold zeros after a reorder, and
// anything after an operator. Weights of convolutions are declared [O, I, H, W] and lie as
//   OIHWBiBo   O/b x I/b x H x W x b (input channel) x b (output channel)
//   OIHWBo     O/b x I x H x W x b (output channel), for few input channels and depthwise
#pragma once

#include <cstdint>

#include <lapidary/tensor.h>

namespace lapidary {

constexpr std::int64_t rounded_to_block(std::int64_t channels, std::int64_t block) { return (channels + block - 1) / block * block; }

/// One image: `from` [channels, size] to [ceil(channels / block), size, block], filled up with zeros; back drops what
/// is beyond `channels`.
void block_channels(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block);
void unblock_channels(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block);
/// The same with the plain image channels last: [size, channels].
void block_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block);
void unblock_channels_last(const float* from, float* to, std::int64_t channels, std::int64_t size, std::int64_t block);

/// f32 [O, I, H, W] to OIHWBiBo (`blocks_inputs`) or OIHWBo; channels of blocked axes are filled up with zeros.
Tensor blocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs);
/// Back to plain [O, I, H, W], fill included. Throws invalid_input when the channels are no whole blocks.
Tensor unblocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs);
/// A vector of f32 filled up with zeros to whole blocks.
Tensor filled_to_block(const Tensor& vector, std::int64_t block);

}  // namespace lapidary
