// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>

#include "rewrite/pass.h"

namespace lapidary::opset {

/// The node's attributes but those.
std::vector<Attribute> without(const Node& node, std::initializer_list<std::string_view> names);
/// One node in place of the other.
Outcome replaced(const Node& node, PassContext& context, std::string_view op,
                 std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                 std::string remark);
/// Something reads output `index` or later ones.
bool wants_outputs_from(const Node& node, const PassContext& context, std::size_t index);

}  // namespace lapidary::opset
