// SPDX-License-Identifier: Apache-2.0
//   before:  y = QuantizeLinear(HardSwish(DequantizeLinear(x)))
//   after:   y = lapidary::ByteTable(x, table: u8[256]) {operators: "DequantizeLinear + HardSwish +
//            QuantizeLinear"}
// Any operators that map one tensor of bytes to another, each element by itself: floats between two
// roundings, and QLinear operators of one tensor and constants. The table holds what the plain
// kernels give for each of the 256 bytes.
#include <map>

#include <lapidary/graph/graph_edit.h>

#include "passes/basic/folding/constant_evaluation.h"
#include "passes/byte_function.h"
#include "passes/session/become_operator.h"
#include "passes/session/constant_input.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

constexpr std::int64_t values_of_a_byte = 256;

/// All bytes in the order of their bits, of the type and rank of `type`.
Tensor tensor_of_every_byte(const Type& type) {
    Shape shape(type.shape && !type.shape->empty() ? type.shape->size() : 1, 1);
    shape.back() = values_of_a_byte;
    Tensor bytes(type.dtype, std::move(shape));
    auto* to = static_cast<std::uint8_t*>(bytes.mutable_raw());
    for (std::int64_t i = 0; i < values_of_a_byte; ++i) to[i] = static_cast<std::uint8_t>(i);
    return bytes;
}

/// The result of the function for each byte. Nothing: a node cannot be computed, for the reason
/// given.
std::optional<Tensor> byte_table_of(const PassContext& context, const ByteFunction& function,
                                    std::string& problem) {
    const Graph& graph = context.graph();
    std::map<ValueId, Tensor> known;
    known.emplace(function.from, tensor_of_every_byte(graph.value(function.from).type));
    for (NodeId id : function.nodes) {
        const Node& node = graph.node(id);
        std::vector<const Tensor*> inputs;
        for (ValueId input : node.inputs) {
            const auto found = known.find(input);
            inputs.push_back(found != known.end() ? &found->second : constant_of(graph, input));
        }
        Evaluation made = evaluate(graph, node, inputs, context.options().limits, context.cancel());
        if (made.problem.empty() && made.outputs.at(0).size() != values_of_a_byte)
            made.problem =
                "it gives " + std::to_string(made.outputs[0].size()) + " elements for 256";
        if (!made.problem.empty()) {
            problem = node.describe() + ": " + made.problem;
            return std::nullopt;
        }
        known[node.outputs[0]] = std::move(made.outputs[0]);
    }
    return known.at(graph.node(function.nodes.back()).outputs[0]).reshaped({values_of_a_byte});
}

/// "DequantizeLinear + HardSwish + QuantizeLinear"
std::string operators_of(const Graph& graph, const ByteFunction& function) {
    std::string text;
    for (NodeId id : function.nodes) text += (text.empty() ? "" : " + ") + graph.node(id).op_type;
    return text;
}

Outcome fuse_function(PassContext& context, NodeId last) {
    const Graph& graph = context.graph();
    const auto function = byte_function_of(graph, last);
    if (!function) return not_concerned();
    std::string problem;
    auto table = byte_table_of(context, *function, problem);
    if (!table) return declined(std::move(problem));
    const std::string words = operators_of(graph, *function);
    const ValueId inputs[] = {
        function->from, context.constant(graph.value(graph.node(last).outputs[0]).name + "_table",
                                         std::move(*table))};
    become_operator(context.edit(), last, "ByteTable", inputs, {attr("operators", words.c_str())},
                    function->nodes);
    context.erase_unused(function->nodes);
    return applied(words + " became a table of 256 bytes");
}

void fuse_byte_functions(PassContext& context) {
    const Graph& graph = context.graph();
    const std::vector<NodeId> order = context.nodes();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {  // the longest first: they end last
        if (!graph.is_alive(*it)) continue;
        const Node& node = graph.node(*it);
        if (node.op_type != "QuantizeLinear" && !node.op_type.starts_with("QLinear")) continue;
        if (!context.may_rewrite()) return;
        Outcome outcome = fuse_function(context, *it);
        if (outcome.done) context.record(std::move(outcome.text));
        else if (!outcome.text.empty()) context.miss(*it, std::move(outcome.text));
    }
}

}  // namespace

PassBody fuse_byte_function() { return {.run = fuse_byte_functions}; }

}  // namespace lapidary::passes
