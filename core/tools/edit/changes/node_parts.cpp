// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/node_parts.h"

#include <lapidary/base/error.h>

#include "graph/splice_graph.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

/// A number as a constant of the element type of `like`, which has to be known.
ValueId number_like(GraphEdit& edit, const Node& node, ValueId like, double number) {
    const Type& type = edit.graph().value(like).type;
    if (!type.is_tensor() || !is_float(type.dtype))
        fail_input(node.describe() +
                   ": the element type of its input is not known, which the constant " +
                   std::to_string(number) + " has to have");
    return edit.add_initializer(edit.fresh_name(node.op_type + "_number"),
                                tensor_of_doubles(type.dtype, {}, {number}));
}

/// Lets `result` take the place of the node's only output, name included.
void take_place(GraphEdit& edit, const Node& node, ValueId result) {
    const ValueId out = node.outputs.at(0);
    const std::string name = edit.graph().value(out).name;
    edit.replace_uses(out, result);
    edit.erase(node.id);
    edit.rename(result, name);
}

void require_input(const Node& node, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (node.inputs.size() <= i || !node.inputs[i])
            fail_input(node.describe() + " lacks input " + std::to_string(i));
    if (node.outputs.empty() || !node.outputs[0])
        fail_input(node.describe() + " has no output, so nothing can take its place");
}

}  // namespace

void resolve_branch(GraphEdit& edit, NodeId id, bool then_branch, std::int64_t opset) {
    const Node node = edit.graph().node(id);
    if (node.op_type != "If" || !node.domain.empty())
        fail_input(node.describe() + " is no If, which alone has branches");
    const std::string which = then_branch ? "then_branch" : "else_branch";
    const GraphPtr branch = node.graph_attribute(which);
    if (!branch) fail_input(node.describe() + " has no " + which);
    if (branch->outputs().size() < node.outputs.size())
        fail_input(node.describe() + " has " + std::to_string(node.outputs.size()) +
                   " outputs, its " + which + " has " + std::to_string(branch->outputs().size()));
    ValueMap map;
    for (const ValueId value : branch->values())
        if (branch->value(value).kind == ValueKind::captured)
            map[value] = branch->value(value).outer;
    splice_nodes(edit, *branch, map, (node.name.empty() ? std::string("if") : node.name) + "/",
                 node.origins);
    splice_outputs(edit, id, *branch, map, opset);
}

void split_gemm(GraphEdit& edit, NodeId id, std::int64_t opset) {
    const Node node = edit.graph().node(id);
    if (node.op_type != "Gemm" || !node.domain.empty()) fail_input(node.describe() + " is no Gemm");
    require_input(node, 2);
    edit.set_default_version(opset);
    const std::vector<std::int64_t> swapped{1, 0};
    ValueId a = node.inputs[0], b = node.inputs[1];
    if (node.int_attribute("transA", 0) != 0) a = edit.node("Transpose", {a}, {{"perm", swapped}});
    if (node.int_attribute("transB", 0) != 0) b = edit.node("Transpose", {b}, {{"perm", swapped}});
    ValueId result = edit.node("MatMul", {a, b});
    if (const double alpha = node.float_attribute("alpha", 1); alpha != 1)
        result = edit.node("Mul", {result, number_like(edit, node, node.inputs[0], alpha)});
    if (node.inputs.size() > 2 && node.inputs[2]) {
        ValueId c = node.inputs[2];
        if (const double beta = node.float_attribute("beta", 1); beta != 1)
            c = edit.node("Mul", {c, number_like(edit, node, c, beta)});
        result = edit.node("Add", {result, c});
    }
    take_place(edit, node, result);
}

}  // namespace lapidary
