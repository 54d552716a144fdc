// SPDX-License-Identifier: Apache-2.0
// Which convolutions and what stands between them are worth keeping with channels last on a device.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "passes/axis_arguments.h"

namespace lapidary {

/// What v of rank `rank` with channels first is of v' with channels last: v = Transpose(v') {perm}.
Ints to_channels_first(int rank);

/// Operators that have a form of their own with channels last; others are carried or bound a
/// region.
enum class ImageOperator : std::uint8_t { none, conv, transposed_conv, pool, global_pool, resize };
/// `problem`: why it has none here, although it is one of these.
ImageOperator image_operator(const Scope& scope, const Node& node, std::string& problem);

/// Devices pack the image of such a convolution before they read it, so that it comes as well with
/// channels first.
bool packs_image(std::int64_t groups, std::int64_t channels, std::int64_t filters);

/// While one lives, this thread's regions are chosen whatever their borders cost, those without
/// convolutions too: small models of tests never win what Transposes take.
class ChannelsLastAtAnyCost {
public:
    ChannelsLastAtAnyCost();
    ~ChannelsLastAtAnyCost();
    ChannelsLastAtAnyCost(const ChannelsLastAtAnyCost&) = delete;
    ChannelsLastAtAnyCost& operator=(const ChannelsLastAtAnyCost&) = delete;
};

struct ChannelsLastRegions {
    std::vector<NodeId> chosen;          // image operators, in the order given
    std::map<NodeId, std::string> left;  // convolutions that stay, with the reason
};

/// `nodes` in topological order. A region is what one image operator reaches through operators that
/// can be carried; it is chosen where what its convolutions win is more than what Transposes at its
/// borders cost. `stores_halves`: values of float32 are stored as float16.
ChannelsLastRegions choose_channels_last(const Scope& scope, const std::vector<NodeId>& nodes,
                                         bool stores_halves);

}  // namespace lapidary
