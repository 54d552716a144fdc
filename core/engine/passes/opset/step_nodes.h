// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "rewrite/pass.h"

namespace lapidary::opset {

/// The node's attributes except those named.
std::vector<Attribute> without(const Node& node, std::initializer_list<std::string_view> names);
/// Replaces the node by another one.
Outcome replaced(const Node& node, PassContext& context, std::string_view op,
                 std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                 std::string remark);
/// True if something reads output `index` or a later one.
bool wants_outputs_from(const Node& node, const PassContext& context, std::size_t index);

}  // namespace lapidary::opset
