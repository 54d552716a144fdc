// SPDX-License-Identifier: Apache-2.0
// Nodes that an export should not have left: in training mode, in 64 bits, without a reader, with
// results whose size is not known beforehand.
#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "advice/export_search.h"
#include "advice/written_out.h"

namespace lapidary {
namespace {

bool is_one_of(const Node& node, std::initializer_list<std::string_view> ops) {
    return node.domain.empty() && std::ranges::find(ops, node.op_type) != ops.end();
}

bool has_output(const Node& node, std::size_t index) {
    return index < node.outputs.size() && node.outputs[index];
}

DType type_of(const Graph& graph, ValueId value) {
    return value ? graph.value(value).type.dtype : DType::undefined;
}

/// Why the node trains; null: it does not.
const char* training_of(const Graph& graph, const Node& node) {
    if (node.domain.starts_with("ai.onnx.preview.training") ||
        node.domain.starts_with("ai.onnx.training") || node.op_type.ends_with("Grad"))
        return "at_gradient";
    if (is_one_of(node, {"SoftmaxCrossEntropyLoss", "NegativeLogLikelihoodLoss"})) return "at_loss";
    if (!is_one_of(node, {"Dropout", "BatchNormalization"})) return nullptr;
    if (node.version < 7)
        return node.has_attribute("is_test") && node.int_attribute("is_test", 0) == 0 ? "at_mode"
                                                                                      : nullptr;
    if (node.op_type == "BatchNormalization")
        return node.int_attribute("training_mode", 0) != 0 ||
                       (node.version < 14 && has_output(node, 1))
                   ? "at_statistics"
                   : nullptr;
    if (node.version < 12 || node.inputs.size() < 3 || !node.inputs[2]) return nullptr;
    const Value& mode = graph.value(node.inputs[2]);
    if (!mode.is_constant() || !mode.constant) return "at_switch";
    const bool trains = mode.constant->dtype() == DType::boolean && mode.constant->size() == 1 &&
                        mode.constant->data<bool>()[0];
    return trains ? "at_mode" : nullptr;
}

/// Nodes whose results reach no output of the graph.
std::vector<NodeId> dead_nodes(const Graph& graph) {
    std::unordered_set<ValueId> needed(graph.outputs().begin(), graph.outputs().end());
    std::vector<NodeId> dead;
    const auto nodes = graph.nodes();
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const Node& node = graph.node(nodes[i]);
        const bool is_needed = std::ranges::any_of(
            node.outputs, [&](ValueId output) { return output && needed.contains(output); });
        if (!is_needed) {
            dead.push_back(nodes[i]);
            continue;
        }
        needed.insert(node.inputs.begin(), node.inputs.end());
        needed.insert(node.captures.begin(), node.captures.end());
    }
    std::ranges::reverse(dead);
    return dead;
}

/// A further result that takes work and that nothing reads.
bool has_idle_result(const Graph& graph, const Node& node) {
    if (!is_one_of(node, {"MaxPool", "Dropout", "LayerNormalization"})) return false;
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (node.outputs[i] && graph.value(node.outputs[i]).is_unused()) return true;
    return false;
}

bool is_made_up(const ExportSearch& search, const Dim& dim, std::string_view hint) {
    return dim.is_symbolic() && dim.symbol().starts_with(hint) &&
           search.model().generated_dimensions.contains(dim.symbol());
}

/// What Cast and Identity read first, a few steps up.
ValueId source_of(const Graph& graph, ValueId id) {
    for (int step = 0; step < 8 && id && graph.value(id).kind == ValueKind::node_output; ++step) {
        const Node& writer = graph.node(graph.value(id).producer);
        if (!is_one_of(writer, {"Cast", "Identity"}) || writer.inputs.empty()) break;
        id = writer.inputs.front();
    }
    return id;
}

/// A constant condition that holds, or one that casts of a constant give.
bool always_holds(const Graph& graph, ValueId condition) {
    const ValueId source = source_of(graph, condition);
    if (!source || !graph.value(source).is_constant() || !graph.value(source).constant)
        return false;
    const Tensor& constant = *graph.value(source).constant;
    const bool is_whole = constant.dtype() == DType::boolean || constant.dtype() == DType::i64 ||
                          constant.dtype() == DType::i32;
    return is_whole && constant.size() == 1 && to_int64s(constant).front() != 0;
}

/// A Loop that runs as often as a shape says: no condition ends it before.
bool counts_by_shape(const Graph& graph, const Node& loop) {
    const GraphPtr body = loop.graph_attribute("body");
    if (!body || body->outputs().empty() || body->inputs().size() < 2 || loop.inputs.empty() ||
        !loop.inputs[0])
        return false;
    if (loop.inputs.size() > 1 && loop.inputs[1] && !always_holds(graph, loop.inputs[1]))
        return false;
    const ValueId condition = source_of(*body, body->outputs().front());
    const Value& kept = body->value(condition);
    const bool stays = condition == body->inputs()[1] || always_holds(*body, condition) ||
                       (kept.kind == ValueKind::captured && always_holds(graph, kept.outer));
    const Value& count = graph.value(loop.inputs[0]);
    if (!stays || count.kind != ValueKind::node_output) return stays && count.is_constant();
    const std::vector<NodeId> of_shapes = nodes_of_shapes(graph);
    return std::ranges::find(of_shapes, count.producer) != of_shapes.end();
}

bool has_dynamic_size(const ExportSearch& search, const Node& node) {
    if (node.op_type == "Unique" || is_one_of(node, {"NonZero", "Compress", "NonMaxSuppression"}))
        return true;
    if (!is_one_of(node, {"TopK", "Loop"})) return false;
    if (node.op_type == "Loop" && counts_by_shape(search.graph(), node)) return false;
    return std::ranges::any_of(node.outputs, [&](ValueId output) {
        const SymbolicShape* shape = search.shape_of(search.graph(), output);
        return shape && std::ranges::any_of(*shape, [&](const Dim& dim) {
                   return is_made_up(search, dim, node.op_type == "TopK" ? "topk" : "iterations");
               });
    });
}

}  // namespace

void find_double_precision(ExportSearch& search) {
    const Graph& graph = search.graph();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        bool writes = false, reads = false;
        std::string constant;
        for (const ValueId output : node.outputs) writes |= type_of(graph, output) == DType::f64;
        for (const ValueId input : node.inputs) {
            if (type_of(graph, input) != DType::f64) continue;
            if (graph.value(input).is_constant()) constant = graph.value(input).name;
            else if (graph.value(input).kind == ValueKind::node_output) reads = true;
        }
        if (!constant.empty())
            search.add(ExportDefect::double_precision, node, "at_constant", {constant});
        else if (writes && !reads) search.add(ExportDefect::double_precision, node, "at_node");
    }
}

void find_training_nodes(ExportSearch& search) {
    for (const NodeId id : search.graph().nodes())
        if (const Node& node = search.graph().node(id);
            const char* reason = training_of(search.graph(), node))
            search.add(ExportDefect::training_node, node, reason);
}

void find_unused_results(ExportSearch& search) {
    constexpr std::size_t least_bytes = 64;
    const Graph& graph = search.graph();
    const std::vector<NodeId> dead = dead_nodes(graph);
    const std::unordered_set<NodeId> are_dead(dead.begin(), dead.end());
    for (const NodeId id : dead) search.add(ExportDefect::unused_result, graph.node(id), "at_node");
    for (const NodeId id : graph.nodes())
        if (!are_dead.contains(id) && has_idle_result(graph, graph.node(id)))
            search.add(ExportDefect::unused_result, graph.node(id), "at_result");
    for (const ValueId id : graph.initializers())
        if (const Value& value = graph.value(id);
            value.is_unused() && value.constant && value.constant->byte_size() >= least_bytes)
            search.add_weight(ExportDefect::unused_result, value, "at_weight", {});
}

void find_wide_indices(ExportSearch& search) {
    const Graph& graph = search.graph();
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const bool reads = is_one_of(node, {"Gather", "GatherElements", "GatherND",
                                            "ScatterElements", "ScatterND", "OneHot"});
        const std::size_t at = node.op_type == "OneHot" ? 0 : 1;
        const ValueId index = reads && node.inputs.size() > at ? node.inputs[at] : ValueId();
        const bool reads_wide =
            index && type_of(graph, index) == DType::i64 && !graph.value(index).is_constant();
        const bool writes_wide =
            is_one_of(node, {"ArgMax", "ArgMin", "NonZero", "TopK", "NonMaxSuppression"});
        if (reads_wide || writes_wide)
            search.add(ExportDefect::wide_index, node, reads_wide ? "at_read" : "at_written");
    }
}

void find_dynamic_sizes(ExportSearch& search) {
    for (const NodeId id : search.graph().nodes())
        if (const Node& node = search.graph().node(id); has_dynamic_size(search, node))
            search.add(ExportDefect::dynamic_size, node, "at");
}

void find_missing_operators(ExportSearch& search) {
    for (const WrittenOutOperator& found : operators_written_out(search.graph())) {
        const Node& root = search.graph().node(found.root);
        const std::int64_t opset = opset_of(found.kind);
        if (root.version <= 0 || opset == 0 || root.version >= opset) continue;
        search.add(ExportDefect::older_than_operator, root, "at",
                   {std::string(name_of(found.kind)), std::to_string(opset)});
    }
}

}  // namespace lapidary
