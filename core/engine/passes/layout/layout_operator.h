// SPDX-License-Identifier: Apache-2.0
// Which operators can work on blocked channels (NCHWc), and how much memory traffic that saves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "patterns/scope.h"

namespace lapidary {

enum class LayoutRole : std::uint8_t {
    none,
    conv,
    pool,
    global_pool,
    elementwise,
    broadcast,
    scale,
    concat,
    split,
    norm,
    upsample
};

struct LayoutOperator {
    LayoutRole role = LayoutRole::none;
    std::string problem;          // why it cannot be blocked; empty: it can
    std::vector<ValueId> images;  // inputs that have to be blocked with it
    // for a Mul by one number per channel: these numbers, whose order is the same in both layouts
    ValueId factor;
    // a Conv whose input 0 stays plain: it has less channels than a block
    bool reads_plain = false;
    // bytes of memory traffic that blocking saves, or an equivalent of them; may be negative
    std::int64_t gain = 0;
};

/// The role of the node in the blocked layout; none for most operators.
LayoutOperator layout_operator(const Scope& scope, const Node& node, std::int64_t block);

/// Bytes of an image with channels filled up to blocks. Sizes that are not known count as 1 image
/// of 64 x 64.
std::int64_t blocked_bytes(const Type& type, std::int64_t channels, std::int64_t block);
/// Bytes that a reorder of the image moves.
inline std::int64_t reorder_bytes(const Type& type, std::int64_t channels, std::int64_t block) {
    return 2 * blocked_bytes(type, channels, block);
}

/// The whole factors [1, 1, H, W] by which Upsample or Resize enlarges an image, from its scales or
/// sizes; empty: none.
std::vector<std::int64_t> upsampling_factors(const Scope& scope, const Node& node);

/// Activations that a blocked Conv applies itself, by operator name.
bool is_conv_activation(std::string_view name);
/// The perm attribute is exactly this.
bool is_transpose(const Node* node, const std::vector<std::int64_t>& permutation);

}  // namespace lapidary
