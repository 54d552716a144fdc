// SPDX-License-Identifier: Apache-2.0
// set NODES.ATTRIBUTE = TEXT, unset NODES.ATTRIBUTE
#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"
#include "edit/operator_call.h"

namespace lapidary::verbs {
namespace {

/// Null where the operator is not known. Throws where it has no such attribute.
const SchemaAttribute* schema_attribute(const Node& node, const std::string& name) {
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (schema == nullptr) return nullptr;
    if (const SchemaAttribute* attribute = schema->attribute(name)) return attribute;
    std::vector<std::string> known;
    std::string list;
    for (const SchemaAttribute& attribute : schema->attributes) {
        known.push_back(attribute.name);
        list += (list.empty() ? "" : ", ") + attribute.name;
    }
    const std::string near = did_you_mean(name, known);
    fail_input(node.describe() + " of opset " + std::to_string(node.version) +
               " has no attribute " + quote(name) +
               (!near.empty()  ? near
                : list.empty() ? "; it has none"
                               : "; there are: " + list));
}

/// An attribute that no schema describes, such as one of a function's call. Numbers become float
/// where the node has float.
Attribute attribute_like(const Node& node, const std::string& name, std::string_view text) {
    for (const Attribute& attribute : node.attributes) {
        if (attribute.name != name) continue;
        if (std::holds_alternative<float>(attribute.value))
            return read_attribute(SchemaAttribute{name, "f", false, {}}, text);
        if (std::holds_alternative<std::vector<float>>(attribute.value))
            return read_attribute(SchemaAttribute{name, "fs", false, {}}, text);
    }
    return read_attribute(name, text);
}

}  // namespace

void set_attribute(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("ATTRIBUTE");
    const std::string& text = arguments.word("TEXT");
    for (const NodeId id : context.nodes(arguments)) {
        const Node& node = context.graph().node(id);
        const SchemaAttribute* schema = schema_attribute(node, name);
        context.edit().set_attribute(id, schema != nullptr ? read_attribute(*schema, text)
                                                           : attribute_like(node, name, text));
    }
}

void unset_attribute(EditContext& context, const EditArguments& arguments) {
    const std::string name = arguments.text("ATTRIBUTE");
    for (const NodeId id : context.nodes(arguments)) {
        const Node& node = context.graph().node(id);
        const SchemaAttribute* schema = schema_attribute(node, name);
        if (!node.has_attribute(name))
            fail_input(node.describe() + " does not have the attribute " + quote(name) + " set");
        if (schema != nullptr && schema->is_required)
            fail_input(node.describe() + " needs the attribute " + quote(name));
        context.edit().remove_attribute(id, name);
    }
}

}  // namespace lapidary::verbs
