// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/export/release.h>

namespace lapidary {

/// The first minor release of ONNX Runtime whose Attention and MultiHeadAttention can add one bias
/// for all heads.
inline constexpr int minor_with_shared_bias = 20;

/// True if the node has such a bias.
bool shares_its_bias(const Graph& graph, const Node& node);
/// A property of a node of com.microsoft that older releases lack. Empty reason: all known releases
/// have it.
ReleaseNeed release_need(const Graph& graph, const Node& node);

}  // namespace lapidary
