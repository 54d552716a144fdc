// SPDX-License-Identifier: Apache-2.0
// insert OPERATOR on|before|after PLACE [as NAME], replace NODES with OPERATOR
#include <algorithm>
#include <limits>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_select.h>

#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"
#include "edit/node_names.h"
#include "edit/operator_call.h"
#include "edit/unused_parts.h"

namespace lapidary::verbs {
namespace {

struct InsertPlace {
    ValueId value;          // that the new node reads
    NodeId reader;          // alone reads the new node; empty: all readers of the value
    std::size_t input = 0;  // of the reader
};

/// Whether the selection names a node; an error that names what was found is for the other reading.
std::optional<NodeId> node_named(const Graph& graph, const std::string& selection) {
    try {
        return select_node(graph, selection);
    } catch (const Error&) { return std::nullopt; }
}

bool fits_several_nodes(const Graph& graph, const std::string& selection) {
    try {
        return select_nodes(graph, selection).size() > 1;
    } catch (const Error&) {  // also where several nodes have the name that stands for one alone
        return std::ranges::count(graph.nodes(), unquoted_word(selection),
                                  [&](NodeId id) { return graph.node(id).name; }) > 1;
    }
}

/// The value, where the selection names no single node. If it fits several nodes and no value, the
/// error lists the nodes.
ValueId value_or_several_nodes(const Graph& graph, const std::string& text,
                               const std::string& nodes) {
    try {
        return select_value(graph, text);
    } catch (const Error&) {
        if (!nodes.empty() && fits_several_nodes(graph, nodes)) select_node(graph, nodes);
        throw;
    }
}

InsertPlace place_before(EditContext& context, const std::string& text) {
    const Graph& graph = context.graph();
    InsertPlace place;
    if (const auto node = node_named(graph, text)) {
        place.reader = *node;
    } else if (const auto [before, after] = split_at_last_dot(text);
               !after.empty() && node_named(graph, before)) {
        place.reader = select_node(graph, before);
        const Node& node = graph.node(place.reader);
        place.input =
            input_index(find_schema(node.domain, node.op_type, node.version), unquoted_word(after));
    } else {
        const bool names_input = !after.empty() && fits_several_nodes(graph, before);
        return {value_or_several_nodes(graph, text, names_input ? before : text), {}, 0};
    }
    const Node& node = graph.node(place.reader);
    if (place.input >= node.inputs.size() || !node.inputs[place.input])
        fail_input(node.describe() + " does not read anything as input " +
                   std::to_string(place.input));
    place.value = node.inputs[place.input];
    return place;
}

InsertPlace place_after(EditContext& context, const std::string& text) {
    const Graph& graph = context.graph();
    const auto node = node_named(graph, text);
    if (!node) return {value_or_several_nodes(graph, text, text), {}, 0};
    for (const ValueId output : graph.node(*node).outputs)
        if (output) return {output, {}, 0};
    fail_input(graph.node(*node).describe() + " writes nothing");
}

/// Attributes and inputs of the node; `data` stands where `_` is, by default first.
NodeSpec spec_of(EditContext& context, const EditedOperator& made, ValueId data) {
    NodeSpec spec;
    spec.op_type = made.op_type;
    spec.domain = made.domain;
    spec.version = made.version;
    spec.attributes = made.attributes;
    const Type like = context.graph().value(data).type;
    bool placed = false;
    const auto put = [&](std::size_t index, ValueId value) {
        if (spec.inputs.size() <= index) spec.inputs.resize(index + 1);
        spec.inputs[index] = value;
    };
    for (const auto& [index, text] : made.inputs) {
        placed = placed || text == "_";
        put(index, text == "_" ? data : input_value(context, made, index, text, like));
    }
    if (!placed) {
        if (!spec.inputs.empty() && spec.inputs.front())
            fail_input("the first input is given: write `_` for the input that reads the value");
        put(0, data);
    }
    return spec;
}

/// "block/conv1" -> "block/Relu_conv1": the node stays in the scope of the value that it reads.
std::string name_beside(const std::string& value, const std::string& op_type) {
    const std::size_t slash = value.rfind('/');
    const std::size_t scope = slash == std::string::npos ? 0 : slash + 1;
    return value.substr(0, scope) + op_type + "_" + value.substr(scope);
}

}  // namespace

void insert_node(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    const EditedOperator made = read_operator(context, arguments.word("OPERATOR"));
    const std::string text = arguments.selection("PLACE");
    TakenNodeNames names(graph);
    if (arguments.has("NAME") && names.has(arguments.text("NAME")))
        fail_input("a node is called " + quote(arguments.text("NAME")) +
                   " already: the name of the new node has to be free");
    const InsertPlace place = arguments.has("on") ? InsertPlace{select_value(graph, text), {}, 0}
                              : arguments.has("before") ? place_before(context, text)
                                                        : place_after(context, text);
    GraphEdit& edit = context.edit();
    const std::string name = graph.value(place.value).name;
    NodeSpec spec = spec_of(context, made, place.value);
    spec.name = arguments.has("NAME") ? arguments.text("NAME")
                                      : names.fresh(name_beside(name, made.op_type));
    const ValueId output = edit.add_value(edit.fresh_name(name + "_" + made.op_type));
    if (place.reader) {
        edit.set_input(place.reader, place.input, output);
    } else {
        const bool is_output = graph.value(place.value).output_uses > 0;
        if (is_output && graph.value(place.value).kind == ValueKind::input)
            fail_input(quote(name) + " is an input and an output of the model at once");
        edit.replace_uses(place.value, output);
        if (is_output) {
            edit.rename(place.value, edit.fresh_name(name + "_before_" + made.op_type));
            edit.rename(output, name);
        }
    }
    spec.outputs = {output};
    const std::size_t most = made.schema->max_outputs;
    for (std::size_t i = 1; i < std::min(made.schema->min_outputs, most); ++i)
        spec.outputs.push_back(edit.add_value(edit.fresh_name(name + "_" + made.op_type)));
    edit.add_node(std::move(spec));
    context.keeps_results(made.domain.empty() && made.op_type == "Identity");
}

void replace_with_operator(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    const EditedOperator made = read_operator(context, arguments.word("OPERATOR"));
    for (const NodeId id : context.nodes(arguments)) {
        GraphEdit& edit = context.edit();
        const std::vector<ValueId> inputs = graph.node(id).inputs;
        const Type like = inputs.empty() || !inputs[0] ? Type() : graph.value(inputs[0]).type;
        std::vector<std::string> gone;
        for (const Attribute& attribute : graph.node(id).attributes)
            if (made.schema->attribute(attribute.name) == nullptr) gone.push_back(attribute.name);
        edit.set_operator(id, made.domain, made.op_type, made.version);
        for (const std::string& name : gone) edit.remove_attribute(id, name);
        for (const Attribute& attribute : made.attributes) edit.set_attribute(id, attribute);
        for (const auto& [index, text] : made.inputs)
            if (text != "_")
                edit.set_input(id, index, input_value(context, made, index, text, like));
        if (!gone.empty())
            context.note(graph.node(id).describe() + " lost " + std::to_string(gone.size()) +
                         (gone.size() == 1 ? " attribute that " : " attributes that ") +
                         made.op_type + " does not have.");
    }
}

}  // namespace lapidary::verbs
