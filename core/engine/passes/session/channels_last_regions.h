// SPDX-License-Identifier: Apache-2.0
// Chooses convolutions, and the operators between them, that work with channels last on a device.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "passes/axis_arguments.h"

namespace lapidary {

/// The permutation that Transpose needs to move channels from last to second, for a rank.
Ints to_channels_first(int rank);

/// Operators that have a special form with channels last. Others work in any order of dimensions,
/// or end a region.
enum class ImageOperator : std::uint8_t { none, conv, transposed_conv, pool, global_pool, resize };
/// `problem`: why the node cannot have that form although it is one of these operators.
ImageOperator image_operator(const Scope& scope, const Node& node, std::string& problem);

/// True if devices pack the image of such a convolution before they read it. Then channels may as
/// well be second.
bool packs_image(std::int64_t groups, std::int64_t channels, std::int64_t filters);

/// For tests: while it exists, regions are chosen on this thread whatever their borders cost, also
/// without convolutions. Small models never gain what Transposes cost.
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

/// `nodes` in topological order. A region is all that one image operator reaches through operators
/// that work in any order of dimensions. It is chosen if its convolutions gain more than Transposes
/// at its borders cost. `stores_halves`: values of float32 are stored as float16.
ChannelsLastRegions choose_channels_last(const Scope& scope, const std::vector<NodeId>& nodes,
                                         bool stores_halves);

}  // namespace lapidary
