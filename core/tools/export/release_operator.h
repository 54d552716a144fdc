// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/export/release.h>

namespace lapidary {

/// Attention and MultiHeadAttention add a bias that is one for all heads from this minor release of
/// ONNX Runtime on.
inline constexpr int minor_with_shared_bias = 20;

/// The node has such a bias.
bool shares_its_bias(const Graph& graph, const Node& node);
/// What a node of com.microsoft asks for that older releases lack; empty reason: every release
/// known knows it.
ReleaseNeed release_need(const Graph& graph, const Node& node);

}  // namespace lapidary
