// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/tied_weights.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "quantize/quantized_operator.h"
#include "rewrite/quantized_weight.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

bool swaps_axes_of_constant(const Graph& graph, const Node& node) {
    if (node.op_type != "Transpose" || !node.domain.empty() || node.inputs.size() != 1)
        return false;
    const Value& table = graph.value(node.inputs[0]);
    const std::vector<std::int64_t> perm = node.ints_attribute("perm");
    return table.kind == ValueKind::initializer && table.constant && is_f32(graph, table.id) &&
           table.constant->rank() == 2 && (perm.empty() || perm == std::vector<std::int64_t>{1, 0});
}

/// Every reader is a MatMul whose weight the value would be.
bool is_only_weight(const Graph& graph, const Value& value) {
    return value.output_uses == 0 && value.captured_by.empty() && !value.uses.empty() &&
           std::ranges::all_of(value.uses, [&](const Use& use) {
               const Node& reader = graph.node(use.node);
               return is_product(reader) && reader.op_type == "MatMul" && use.input == 1;
           });
}

/// The table: that of the graph, or one added again.
ValueId table_of(GraphEdit& edit, const TiedWeight& tied) {
    const ValueId known = edit.graph().find_value(tied.table_name);
    if (known) {
        const Value& value = edit.graph().value(known);
        if (value.kind == ValueKind::initializer && value.constant &&
            value.constant->identity() == tied.table.identity())
            return known;
    }
    return edit.add_initializer(edit.fresh_name(tied.table_name), tied.table);
}

void put_transpose_back(Graph& graph, const TiedWeight& tied) {
    GraphEdit edit(graph, "restore_tied_weights");
    const ValueId table = table_of(edit, tied),
                  transposed = edit.add_value(edit.fresh_name(tied.name));
    Type type = Type::tensor(DType::f32);
    type.shape = SymbolicShape(tied.shape.begin(), tied.shape.end());
    edit.set_type(transposed, type);
    edit.add_node({.op_type = "Transpose",
                   .inputs = {table},
                   .outputs = {transposed},
                   .attributes = tied.attributes,
                   .name = tied.node_name,
                   .version = tied.version});
    edit.replace_uses(tied.weight, transposed);
    edit.erase_value(tied.weight);
    edit.record("Transpose of " + quote(tied.table_name) + " again", false);
    edit.finish();
}

bool has_first_elements(const Graph& graph, const TiedWeight& tied) {
    const auto& constant = graph.value(tied.weight).constant;
    const auto elements = tied.elements.lock();
    return constant && elements && constant->owner() == elements;
}

}  // namespace

bool separates_tied_weights(const QuantizeOptions& options) {
    switch (options.mode) {
    case QuantizeMode::dynamic: return true;
    case QuantizeMode::weights: return options.storage == WeightStorage::blocks;
    case QuantizeMode::static_qdq: return options.placement == StaticPlacement::benefit;
    case QuantizeMode::half: break;
    }
    return false;
}

std::vector<TiedWeight> separate_tied_weights(Graph& graph) {
    std::vector<TiedWeight> all;
    GraphEdit edit(graph, "separate_tied_weights");
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (NodeId id : nodes) {
        if (!swaps_axes_of_constant(graph, graph.node(id))) continue;
        const Node node = graph.node(id);
        const ValueId transposed = node.outputs[0];
        if (!is_only_weight(graph, graph.value(transposed))) continue;
        TiedWeight tied;
        tied.table_name = graph.value(node.inputs[0]).name;
        tied.table = *graph.value(node.inputs[0]).constant;
        tied.name = graph.value(transposed).name;
        const Tensor values = swapped_axes(tied.table);
        tied.shape = values.shape();
        tied.elements = values.owner();
        tied.node_name = node.name;
        tied.version = node.version;
        tied.attributes = node.attributes;
        for (const Use& use : graph.value(transposed).uses)
            tied.readers.push_back(keep_name(graph, graph.node(use.node)));
        tied.weight =
            edit.add_initializer(edit.fresh_name(tied.table_name + "_transposed"), values);
        edit.replace_uses(transposed, tied.weight);
        edit.erase(id);
        if (graph.value(node.inputs[0]).is_unused()) edit.erase_value(node.inputs[0]);
        edit.record(quote(tied.name) + " is a constant", false);
        all.push_back(std::move(tied));
    }
    edit.finish();
    return all;
}

void restore_tied_weights(Graph& graph, const std::vector<TiedWeight>& tied,
                          std::vector<std::string>& notes) {
    for (const TiedWeight& one : tied) {
        const std::size_t left =
            graph.is_alive(one.weight) ? graph.value(one.weight).uses.size() : 0;
        if (left > 0 && has_first_elements(graph, one)) put_transpose_back(graph, one);
        if (left == one.readers.size()) continue;
        std::string readers;
        for (const std::string& name : one.readers)
            readers += (readers.empty() ? "" : ", ") + quote(name);
        notes.push_back("the weight of " + readers + " is the transposed table " +
                        quote(one.table_name) + ", which it no longer shares");
    }
}

}  // namespace lapidary
