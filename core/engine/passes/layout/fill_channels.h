// SPDX-License-Identifier: Apache-2.0
// How many channels of each blocked value are real and how many are padding of the last block.
#pragma once

#include <map>
#include <vector>

#include "patterns/scope.h"

namespace lapidary {

/// The role of a node that reads or writes blocked values, for undoing the layout.
enum class BlockedRole : std::uint8_t {
    reorder_input,
    reorder_output,
    conv,
    scale,
    image,
    elementwise,
    concat,
    split,
    view
};

/// The role of a node that touches blocked values; throws not_supported naming the node when it
/// must not. `image` are pools and Upsample; `view` is a Reshape between [N, C, H, W] and [N, C/b,
/// H, W, b] or of [1, C, 1, 1]; `scale` is a depthwise Conv of one tap whose weight is computed:
/// one number per channel.
BlockedRole blocked_role(const Scope& scope, const Node& node, std::int64_t block);

struct BlockedConv {
    std::int64_t group = 1;
    bool reads_plain = false, is_depthwise = false;
    Tensor weight;  // blocked
    Tensor bias;    // absent: none, or computed
    bool computes_bias = false;
    bool blocks_inputs() const { return !reads_plain && !is_depthwise; }
};
/// Throws not_supported when the weight is no constant, invalid_model when they are not blocked.
BlockedConv blocked_conv(const Scope& scope, const Node& node, std::int64_t block,
                         bool input_is_blocked);

/// By ValueId::index, the number of channels of each blocked value that the plain graph needs,
/// derived from weights, reorders and joins. Further channels are multiplied with zero weights or
/// dropped.
std::map<std::uint32_t, std::int64_t> real_channels(const Scope& scope,
                                                    const std::vector<bool>& blocked,
                                                    std::int64_t block);

}  // namespace lapidary
