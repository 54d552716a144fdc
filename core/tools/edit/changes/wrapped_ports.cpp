// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/wrapped_ports.h"

namespace lapidary {

ValueId find_tensor_port(const Graph& graph, const std::string& name, bool output) {
    const ValueId id = find_port(graph, name, output);
    const Type& type = graph.value(id).type;
    if (!type.is_tensor() || !type.shape || type.shape->empty())
        fail_input(quote(name) + " is " + to_string(type) +
                   ", expected a tensor of known rank, one or more");
    return id;
}

void require_opset(std::int64_t opset, std::int64_t least, const std::string& what) {
    if (opset < least)
        fail_input(what + " needs opset " + std::to_string(least) + ", the model imports " +
                   std::to_string(opset));
}

void replace_output(GraphEdit& edit, ValueId id, const std::vector<ValueId>& values) {
    const Graph& graph = edit.graph();
    const std::string name = graph.value(id).name;
    if (graph.value(id).kind != ValueKind::node_output)
        fail_input("output " + quote(name) + " is not computed by a node of the model");
    std::vector<ValueId> outputs;
    for (const ValueId output :
         std::vector<ValueId>(graph.outputs().begin(), graph.outputs().end()))
        if (output != id) outputs.push_back(output);
        else outputs.insert(outputs.end(), values.begin(), values.end());
    edit.set_outputs(outputs);
    edit.rename(id, edit.fresh_name(name + "_before"));
    edit.rename(values.front(), name);
}

}  // namespace lapidary
