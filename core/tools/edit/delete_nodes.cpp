// SPDX-License-Identifier: Apache-2.0
// delete NODES [bridge|cut]
#include <algorithm>

#include <lapidary/base/error.h>

#include "edit/edit_verb_functions.h"
#include "edit/unused_parts.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::verbs {
namespace {

bool may_stand_for(const Type& input, const Type& output) {
    if (input.kind == Type::Kind::unknown || output.kind == Type::Kind::unknown) return true;
    if (input.kind != output.kind || input.dtype != output.dtype) return false;
    if (!input.shape || !output.shape) return true;
    return input.shape->size() == output.shape->size() &&
           std::ranges::equal(*input.shape, *output.shape,
                              [](const Dim& a, const Dim& b) { return !surely_different(a, b); });
}

/// The first input, constants aside, that may stand for the output; an empty id: none may.
ValueId bridge_of(const Graph& graph, const Node& node, const Value& output) {
    for (const ValueId id : node.inputs)
        if (id && !graph.value(id).is_constant() &&
            may_stand_for(graph.value(id).type, output.type))
            return id;
    return {};
}

[[noreturn]] void refuse_bridge(const Graph& graph, const Node& node, const Value& output) {
    std::string read;
    for (const ValueId id : node.inputs)
        if (id) read += (read.empty() ? "" : ", ") + to_string(graph.value(id).type);
    fail_input(node.describe() + " cannot be bridged: it reads " +
               (read.empty() ? "nothing" : read) + " and writes " + to_string(output.type) +
               " as " + quote(output.name) + "; `cut` makes that an input of the model");
}

/// Whether the node does nothing when a trained model is run.
bool does_nothing(const Graph& graph, const Node& node) {
    if (!node.domain.empty()) return false;
    if (node.op_type == "Identity") return true;
    if (node.op_type != "Dropout") return false;
    if (node.inputs.size() < 3 || !node.inputs[2]) return true;
    const Value& training = graph.value(node.inputs[2]);
    if (!training.is_constant() || !training.constant || training.constant->size() != 1)
        return false;
    return training.constant->dtype() == DType::boolean && !training.constant->data<bool>()[0];
}

/// The nodes stay no longer; a graph output keeps its name.
void bridge_output(EditContext& context, NodeId id, ValueId output) {
    GraphEdit& edit = context.edit();
    const Graph& graph = context.graph();
    const ValueId input = bridge_of(graph, graph.node(id), graph.value(output));
    if (!input) refuse_bridge(graph, graph.node(id), graph.value(output));
    if (graph.value(output).output_uses == 0) {
        edit.replace_uses(output, input);
        return;
    }
    const std::string name = graph.value(output).name;
    const Value& read = graph.value(input);
    if (read.kind == ValueKind::node_output && read.output_uses == 0) {
        edit.replace_uses(output, input);
        edit.rename(output, edit.fresh_name(name + "_removed"));
        edit.rename(input, name);
        return;
    }
    // An input, a constant or another output cannot bear the name of this one.
    const ValueId copy = edit.add_value(edit.fresh_name(name), graph.value(output).type);
    edit.replace_uses(output, copy);
    edit.rename(output, edit.fresh_name(name + "_removed"));
    edit.rename(copy, name);
    edit.add_node(
        {.op_type = "Identity", .inputs = {input}, .outputs = {copy}, .name = graph.node(id).name});
    context.note("An Identity carries " + quote(graph.value(input).name) + " to the output " +
                 quote(name) + ".");
}

void cut_output(EditContext& context, ValueId output) {
    GraphEdit& edit = context.edit();
    const Graph& graph = context.graph();
    const std::string name = graph.value(output).name;
    if (graph.value(output).output_uses > 0) {
        std::vector<ValueId> outputs(graph.outputs().begin(), graph.outputs().end());
        std::erase(outputs, output);
        if (outputs.empty()) fail_input("the model would have no output without " + quote(name));
        edit.set_outputs(std::move(outputs));
        context.note("The output " + quote(name) + " went with its node.");
    }
    if (graph.value(output).is_unused()) return;
    const Type type = graph.value(output).type;
    if (type.kind == Type::Kind::unknown)
        fail_input("the type of " + quote(name) + ", which would be an input, is not known");
    edit.rename(output, edit.fresh_name(name + "_removed"));
    edit.replace_uses(output, edit.add_input(name, type));
    context.note(quote(name) + " is an input now.");
}

}  // namespace

void delete_nodes(EditContext& context, const EditArguments& arguments) {
    const Graph& graph = context.graph();
    const bool cuts = arguments.has("cut");
    bool keeps = true;
    for (const NodeId id : context.nodes(arguments)) {
        const std::vector<ValueId> inputs = graph.node(id).inputs;
        const std::vector<ValueId> outputs = graph.node(id).outputs;
        bool is_read = false;
        const bool is_idle = does_nothing(graph, graph.node(id));
        for (const ValueId output : outputs) {
            if (!output || graph.value(output).is_unused()) continue;
            is_read = true;
            if (cuts) cut_output(context, output);
            else bridge_output(context, id, output);
        }
        keeps = keeps && (!is_read || (!cuts && is_idle));
        context.edit().erase(id);
        erase_unused_constants(context.edit(), inputs);
    }
    context.keeps_results(keeps);
}

}  // namespace lapidary::verbs
