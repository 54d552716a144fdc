// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/step_nodes.h"

#include <algorithm>

namespace lapidary::opset {

std::vector<Attribute> without(const Node& node, std::initializer_list<std::string_view> names) {
    std::vector<Attribute> left;
    for (const Attribute& a : node.attributes)
        if (std::ranges::find(names, a.name) == names.end()) left.push_back(a);
    return left;
}

Outcome replaced(const Node& node, PassContext& context, std::string_view op,
                 std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                 std::string remark) {
    context.replace(node.id, op, std::move(inputs), std::move(attributes));
    return applied(std::move(remark));
}

bool wants_outputs_from(const Node& node, const PassContext& context, std::size_t index) {
    for (std::size_t i = index; i < node.outputs.size(); ++i)
        if (node.outputs[i] && !context.graph().value(node.outputs[i]).is_unused()) return true;
    return false;
}

}  // namespace lapidary::opset
