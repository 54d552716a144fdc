// SPDX-License-Identifier: Apache-2.0
// in NODE.BODY LINE, in function NAME LINE: a line of a script applied to the body of an If, Loop
// or Scan, or of a function of the model.
#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/changed_types.h"
#include "edit/edit_verb_functions.h"
#include "edit/edit_words.h"
#include "edit/node_names.h"

namespace lapidary::verbs {
namespace {

/// Forms that change nodes and values alone, which bodies have too. Others are about the model.
constexpr std::array body_forms{"delete ", "insert ",  "replace ",     "set ",    "unset ",
                                "rename ", "connect ", "disconnect ",  "weight ", "split gemm ",
                                "expand ", "resolve ", "in NODE.BODY "};

EditLine inner_line(const EditContext& context, const EditArguments& arguments) {
    try {
        return parse_edit_line(arguments.selection("LINE"), context.line().line);
    } catch (const Error& error) {  // the whole line is named by its caller
        throw Error(error.code(), error.message());
    }
}

std::size_t form_of_body(const EditLine& line) {
    const std::size_t form = find_edit_form(line);
    const std::string_view words = edit_verbs()[form].form;
    if (words.starts_with("in function "))
        fail_input(
            "functions belong to the whole model: expected `in function` at the beginning "
            "of the line alone");
    if (std::ranges::none_of(body_forms,
                             [&](std::string_view known) { return words.starts_with(known); }))
        fail_input(quote(line.verb) + " is about the whole model and cannot be applied to a body");
    return form;
}

void require_same_ports(const Graph& before, const Graph& after, const std::string& body) {
    const auto check = [&](std::size_t had, std::size_t has, const char* what) {
        if (had != has)
            fail_input(body + " would have " + std::to_string(has) + " " + what + ", expected " +
                       std::to_string(had) +
                       " as before: its node or its callers give and take "
                       "that many (`cut` is for the main graph alone)");
    };
    check(before.inputs().size(), after.inputs().size(), "inputs");
    check(before.outputs().size(), after.outputs().size(), "outputs");
}

/// Values that the edit made get no name that an enclosing graph has, and none is renamed to one.
void keep_values_apart(GraphEdit& edit, const Graph& before, const std::set<std::string>& outer) {
    const Graph& graph = edit.graph();
    for (const ValueId id : graph.values()) {
        const Value& value = graph.value(id);
        const bool is_renamed = before.is_alive(id) && before.value(id).name != value.name;
        if (value.kind == ValueKind::captured && is_renamed)
            fail_input(quote(before.value(id).name) +
                       " is a value around the body: rename it there");
        if (value.kind == ValueKind::captured || !outer.contains(value.name)) continue;
        if (before.is_alive(id) && !is_renamed) continue;
        if (is_renamed)
            fail_input("a value around the body is called " + quote(value.name) +
                       " already: the new name of " + quote(before.value(id).name) +
                       " has to be free");
        std::string name = value.name;
        for (int i = 1; outer.contains(name) || graph.find_value(name); ++i)
            name = value.name + "_" + std::to_string(i);
        edit.rename(id, std::move(name));
    }
}

void keep_nodes_apart(GraphEdit& edit, const Graph& before) {
    const std::vector<NodeId> nodes =
        nodes_of_repeated_names(edit.graph(), repeated_node_names(before), GraphBefore(before));
    if (!nodes.empty()) give_fresh_names(edit, nodes);
}

/// What nothing in the body reads any more, the body does not take from outside.
void erase_unused_captures(GraphEdit& edit) {
    for (const ValueId id : edit.graph().values())
        if (edit.graph().value(id).kind == ValueKind::captured &&
            edit.graph().value(id).is_unused())
            edit.erase_value(id);
}

void take_effect(EditContext& context, EditEffect effect) {
    if (effect != EditEffect::depends) context.keeps_results(effect == EditEffect::keeps);
}

/// Applies the line to the graph of `body`, a model that has the body in place of its main graph.
void edit_body_of(EditContext& context, Model& body, const EditLine& line,
                  const std::set<std::string>& outer, const std::string& name) {
    const std::size_t form = form_of_body(line);
    const Graph before = body.graph;
    EditContext inside = context.inside(body, line);
    inside.set_outer_names(outer);
    inside.set_of_body();
    take_effect(context, edit_verbs()[form].effect);
    const auto arguments = match_form(edit_verbs()[form].form, line.arguments);
    call_edit_verb(form, inside, *arguments);
    GraphEdit& edit = inside.edit();
    edit.finish();  // erased nodes leave the list
    require_same_ports(before, edit.graph(), name);
    keep_values_apart(edit, before, outer);
    keep_nodes_apart(edit, before);
    erase_unused_captures(edit);
    if (edit.has_unrecorded()) edit.record(line.text);
    edit.finish();
}

/// The model with another main graph: imports and functions as they are.
Model model_around(const Model& model, const Graph& graph) {
    Model body;
    body.ir_version = model.ir_version;
    body.opset_imports = model.opset_imports;
    body.functions = model.functions;
    body.path = model.path;
    body.graph = graph;
    return body;
}

/// Values that the body reads from around it get their types, which verbs ask for.
void type_captured_values(Graph& body, const Graph& around) {
    GraphEdit edit(body);
    for (const ValueId id : body.values())
        if (const Value& value = body.value(id); value.kind == ValueKind::captured)
            if (value.outer && around.is_alive(value.outer) &&
                value.type.kind == Type::Kind::unknown)
                edit.set_type(id, around.value(value.outer).type);
}

std::set<std::string> names_around(const EditContext& context) {
    std::set<std::string> names = context.outer_names();
    for (const ValueId id : context.graph().values()) names.insert(context.graph().value(id).name);
    return names;
}

const Attribute& body_attribute(const Node& node, const std::string& name) {
    std::vector<std::string> bodies;
    std::string list;
    for (const Attribute& attribute : node.attributes) {
        if (!std::holds_alternative<GraphPtr>(attribute.value)) continue;
        if (attribute.name == name) return attribute;
        bodies.push_back(attribute.name);
        list += (list.empty() ? "" : ", ") + attribute.name;
    }
    fail_input(node.describe() + " has no body " + quote(name) +
               (list.empty() ? "; it has none" : "; there are: " + list));
}

}  // namespace

void edit_body(EditContext& context, const EditArguments& arguments) {
    const EditLine line = inner_line(context, arguments);
    const NodeId id = context.node(arguments);
    const std::set<std::string> outer = names_around(context);
    const Node& node = context.graph().node(id);
    const std::string name = node.describe() + "." + arguments.text("BODY");
    Attribute attribute = body_attribute(node, arguments.text("BODY"));
    Model body = model_around(context.model(), *std::get<GraphPtr>(attribute.value));
    type_captured_values(body.graph, context.graph());
    try {
        edit_body_of(context, body, line, outer, name);
    } catch (Error& error) { throw error.at(name); }
    Model& model = context.whole_model();  // types are inferred through the body
    for (const auto& [domain, version] : body.opset_imports)
        model.opset_imports.emplace(domain, version);
    attribute.value = GraphPtr(std::make_shared<const Graph>(std::move(body.graph)));
    context.edit().set_attribute(id, std::move(attribute));
}

void edit_function_body(EditContext& context, const EditArguments& arguments) {
    const EditLine line = inner_line(context, arguments);
    const std::string wanted = arguments.text("NAME");
    std::vector<std::string> known;
    for (const Function& function : context.model().functions) known.push_back(function.name);
    const auto at = std::ranges::find_if(context.model().functions, [&](const Function& function) {
        return function.name == wanted || function.domain + "::" + function.name == wanted;
    });
    if (at == context.model().functions.end())
        fail_input("the model has no function " + quote(wanted) + did_you_mean(wanted, known));
    const auto index = static_cast<std::size_t>(at - context.model().functions.begin());
    Model body = model_around(context.model(), *at->body);
    body.opset_imports = at->opset_imports;
    const std::string name = "function " + quote(at->name);
    try {
        edit_body_of(context, body, line, {}, name);
    } catch (Error& error) { throw error.at(name); }
    Function& function = context.whole_model().functions[index];
    function.opset_imports = body.opset_imports;
    function.body = std::make_shared<const Graph>(std::move(body.graph));
    context.note("Every call of " + quote(function.name) + " has the edit.");
}

}  // namespace lapidary::verbs
