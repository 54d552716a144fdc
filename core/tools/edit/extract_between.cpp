// SPDX-License-Identifier: Apache-2.0
// extract from INPUTS to OUTPUTS
#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_select.h>

#include "edit/edit_verb_functions.h"
#include "edit/unused_parts.h"

namespace lapidary::verbs {
namespace {

std::vector<ValueId> values_named(const Graph& graph, const std::vector<std::string>& names) {
    std::vector<ValueId> values;
    for (const std::string& name : names) {
        const ValueId id = select_value(graph, edit_word(name));
        if (std::ranges::find(values, id) != values.end())
            fail_input(quote(name) + " is named twice");
        values.push_back(id);
    }
    return values;
}

/// The inputs of the model that are left and were not named: the ones that are read are an error.
void drop_other_inputs(EditContext& context, const std::vector<std::string>& named) {
    const Graph& graph = context.graph();
    const std::vector<ValueId> inputs(graph.inputs().begin(), graph.inputs().end());
    for (const ValueId id : inputs) {
        const Value& value = graph.value(id);
        if (std::ranges::find(named, value.name) != named.end()) continue;
        if (value.is_unused()) context.edit().remove_input(id);
        else if (!value.constant)
            fail_input("the outputs need the input " + quote(value.name) + ", too");
    }
}

}  // namespace

void extract_between(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    const std::vector<std::string> names = arguments.list("INPUTS");
    const std::vector<ValueId> inputs = values_named(graph, names);
    const std::vector<ValueId> outputs = values_named(graph, arguments.list("OUTPUTS"));
    for (const ValueId id : outputs)
        if (graph.value(id).kind != ValueKind::node_output ||
            std::ranges::find(inputs, id) != inputs.end())
            fail_input("the output " + quote(graph.value(id).name) +
                       " has to be written by a node behind the inputs");
    GraphEdit& edit = context.edit();
    std::vector<ValueId> unread(graph.outputs().begin(), graph.outputs().end());
    edit.set_outputs(outputs);
    for (const ValueId id : inputs) {
        const Value& value = graph.value(id);
        if (value.kind == ValueKind::input) continue;
        if (value.type.kind == Type::Kind::unknown)
            fail_input("the type of " + quote(value.name) +
                       ", which would be an input, is not known");
        const std::string name = value.name;
        const Type type = value.type;
        edit.rename(id, edit.fresh_name(name + "_before"));
        edit.replace_uses(id, edit.add_input(name, type));
        unread.push_back(id);
    }
    const std::size_t erased = erase_unused_producers(edit, unread);
    drop_other_inputs(context, names);
    context.note(std::to_string(erased) + (erased == 1 ? " node" : " nodes") + " went.");
}

}  // namespace lapidary::verbs
