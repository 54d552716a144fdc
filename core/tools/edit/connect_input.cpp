// SPDX-License-Identifier: Apache-2.0
// connect VALUE -> NODE.INPUT, disconnect NODE.INPUT
#include <lapidary/base/error.h>

#include "edit/edit_verb_functions.h"
#include "edit/operator_call.h"
#include "edit/unused_parts.h"

namespace lapidary::verbs {
namespace {

const OpSchema* schema_of_node(const Node& node) {
    return find_schema(node.domain, node.op_type, node.version);
}

}  // namespace

void connect_input(EditContext& context, const EditArguments& arguments) {
    const ValueId value = context.value(arguments);
    const NodeId id = context.node(arguments);
    const Node& node = context.graph().node(id);
    const std::size_t index = input_index(schema_of_node(node), arguments.text("INPUT"));
    if (index > node.inputs.size())
        fail_input(node.describe() + " has " + std::to_string(node.inputs.size()) +
                   " inputs: number " + std::to_string(node.inputs.size()) + " comes next, not " +
                   std::to_string(index));
    const ValueId old = index < node.inputs.size() ? node.inputs[index] : ValueId();
    if (old == value)
        fail_input(node.describe() + " reads " + quote(context.graph().value(value).name) +
                   " there already");
    context.edit().set_input(id, index, value);
    erase_unused_constants(context.edit(), {old});
}

void disconnect_input(EditContext& context, const EditArguments& arguments) {
    const NodeId id = context.node(arguments);
    const Node& node = context.graph().node(id);
    const OpSchema* schema = schema_of_node(node);
    const std::size_t index = input_index(schema, arguments.text("INPUT"));
    if (index >= node.inputs.size() || !node.inputs[index])
        fail_input(node.describe() + " does not read anything there");
    const SchemaParameter* parameter = schema != nullptr ? schema->input(index) : nullptr;
    if (parameter != nullptr && !parameter->is_optional)
        fail_input(node.describe() + " needs its input " + quote(parameter->name));
    const ValueId old = node.inputs[index];
    context.edit().set_input(id, index, {});
    erase_unused_constants(context.edit(), {old});
}

}  // namespace lapidary::verbs
