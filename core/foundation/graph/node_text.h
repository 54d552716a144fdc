// SPDX-License-Identifier: Apache-2.0
// A node's attributes and values in words, short enough for a page.
#pragma once

#include <string>
#include <string_view>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// At most `most` bytes, cut at a character, with "..." in place of the rest.
std::string shortened(std::string_view text, std::size_t most);
/// "kernel_shape = [3, 3]", one a line.
std::string attributes_text(const Node& node);
/// "name: f32[1,3]", one a line; constants are marked.
std::string values_text(const Graph& graph, const std::vector<ValueId>& values);
/// "Conv" of "com.microsoft.nchwc::Conv": the domain says who computes it, not what.
std::string without_domain(std::string_view op);

}  // namespace lapidary
