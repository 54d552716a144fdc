// SPDX-License-Identifier: Apache-2.0
// replace NODES with model FILE, replace NODES with function NAME
#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>

#include "edit/edit_verb_functions.h"
#include "graph/splice_graph.h"
#include "passes/opset/convert_opset.h"

namespace lapidary::verbs {
namespace {

/// Reads a model whose nodes can be put into another one, in that one's opset.
Model part_from(const EditContext& context, const std::filesystem::path& file) {
    LoadOptions loading;
    loading.limits = context.options().limits;
    Model part = load_model(file, loading, context.progress());
    const std::string name = quote(file.string(), 4096);
    if (!part.functions.empty()) fail_input(name + " has functions of its own: expand them first");
    const std::int64_t opset = context.model().opset();
    if (part.opset() > opset)
        fail_input(name + " is of opset " + std::to_string(part.opset()) + ", the model of opset " +
                   std::to_string(opset) + ": convert one of them first (opset VERSION)");
    if (part.opset() > 0 && part.opset() < opset) convert_opset(part, opset, context.progress());
    for (const ValueId id : part.graph.inputs())
        if (part.graph.value(id).constant)
            fail_input(name + " has an input with a default, " + quote(part.graph.value(id).name) +
                       ": expected inputs alone");
    return part;
}

void import_domains(Model& model, const Model& part) {
    for (const auto& [domain, version] : part.opset_imports) {
        const auto [import, is_new] = model.opset_imports.emplace(domain, version);
        if (!is_new && !domain.empty() && import->second != version)
            fail_input("the models import versions " + std::to_string(import->second) + " and " +
                       std::to_string(version) + " of " + quote(domain));
    }
}

std::size_t count_given(const std::vector<ValueId>& values) {
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [](ValueId id) { return static_cast<bool>(id); }));
}

void require_counts(const Node& node, std::size_t inputs, std::size_t outputs,
                    const std::string& what) {
    if (count_given(node.inputs) != inputs || node.outputs.size() > outputs)
        fail_input(node.describe() + " reads " + std::to_string(count_given(node.inputs)) +
                   " and writes " + std::to_string(node.outputs.size()) + " values, " + what +
                   " reads " + std::to_string(inputs) + " and writes " + std::to_string(outputs));
}

const Function& function_named(const Model& model, const std::string& name) {
    std::string list;
    for (const Function& function : model.functions) {
        const std::string full = function.domain + "::" + function.name;
        if (function.name == name || full == name) return function;
        list += (list.empty() ? "" : ", ") + quote(full);
    }
    fail_input("the model has no function " + quote(name) +
               "; there are: " + (list.empty() ? "none" : list));
}

}  // namespace

void replace_with_model(EditContext& context, const EditArguments& arguments) {
    const std::vector<NodeId> nodes = context.nodes(arguments);
    const std::filesystem::path file = context.file(arguments.text("FILE"));
    const Model part = part_from(context, file);
    import_domains(context.whole_model(), part);
    const Graph& graph = context.graph();
    for (const NodeId id : nodes) {
        const Node node = graph.node(id);
        require_counts(node, part.graph.inputs().size(), part.graph.outputs().size(),
                       quote(file.filename().string()));
        ValueMap map;
        std::size_t next = 0;
        for (const ValueId input : node.inputs)
            if (input) map[part.graph.inputs()[next++]] = input;
        const std::string prefix =
            (node.name.empty() ? node.op_type + std::to_string(id.index) : node.name) + "/";
        splice_nodes(context.edit(), part.graph, map, prefix, node.origins);
        splice_outputs(context.edit(), id, part.graph, map, context.model().opset());
    }
}

void replace_with_function(EditContext& context, const EditArguments& arguments) {
    const std::vector<NodeId> nodes = context.nodes(arguments);
    const Function& function = function_named(context.model(), arguments.text("NAME"));
    const std::string domain = function.domain, name = function.name;
    const std::size_t inputs = function.body->inputs().size();
    const std::size_t outputs = function.body->outputs().size();
    std::vector<std::string> known = function.attributes;
    for (const Attribute& attribute : function.attribute_defaults) known.push_back(attribute.name);
    Model& model = context.whole_model();
    const std::int64_t version = model.opset_imports.emplace(domain, 1).first->second;
    for (const NodeId id : nodes) {
        const Node node = context.graph().node(id);
        require_counts(node, inputs, outputs, "the function " + quote(name));
        context.edit().set_operator(id, domain, name, version);
        for (const Attribute& attribute : node.attributes)
            if (std::ranges::find(known, attribute.name) == known.end())
                context.edit().remove_attribute(id, attribute.name);
    }
}

}  // namespace lapidary::verbs
