// SPDX-License-Identifier: Apache-2.0
#include <lapidary/advice/advice_facts.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <lapidary/tensor/dtype.h>

#include "advice/export_search.h"
#include "graph/lift_constants.h"

namespace lapidary {
namespace {

constexpr std::size_t longest_weight_path =
    8;  // of nodes between a weight and the one that takes it

bool takes_weights(const Node& node) {
    static const std::set<std::string_view> plain{"MatMul", "Gemm", "Conv", "ConvTranspose",
                                                  "LSTM",   "GRU",  "RNN"};
    static const std::set<std::string_view> contrib{
        "FusedMatMul", "FusedGemm", "FusedConv", "Attention", "Conv", "MultiHeadAttention"};
    return (node.domain.empty() ? plain : contrib).contains(node.op_type);
}

bool is_quantized(const Node& node) {
    const std::string_view op = node.op_type;
    return op.find("QLinear") != op.npos || op.find("Quantize") != op.npos ||
           op.find("Integer") != op.npos || op.find("NBits") != op.npos || op == "QAttention";
}

/// The weight that a node reads, directly or in another shape.
struct ReadWeight {
    ValueId id;
    Tensor tensor;
};

/// Inputs of the graph with a default are weights too: quantizing makes them constants.
std::optional<ReadWeight> weight_read(const Graph& graph, ValueId id) {
    static const std::set<std::string_view> shaping{"Transpose", "Reshape",   "Flatten",
                                                    "Squeeze",   "Unsqueeze", "Identity"};
    for (std::size_t step = 0; id && step < longest_weight_path; ++step) {
        const Value& value = graph.value(id);
        if (value.constant) return ReadWeight{id, *value.constant};
        if (value.kind != ValueKind::node_output) break;
        const Node& writer = graph.node(value.producer);
        if (auto held = constant_of(writer)) return ReadWeight{id, std::move(*held)};
        if (!writer.domain.empty() || !shaping.contains(writer.op_type) || writer.inputs.empty())
            break;
        id = writer.inputs.front();
    }
    return std::nullopt;
}

/// Whether the node reads a weight that quantizing takes. Adds those that are not yet in `counted`
/// to the bytes.
bool count_weights(const Graph& graph, const Node& node, std::set<ValueId>& counted,
                   std::uint64_t& bytes) {
    bool any = false;
    for (const ValueId input : node.inputs) {
        const std::optional<ReadWeight> weight = weight_read(graph, input);
        if (!weight || weight->tensor.dtype() != DType::f32 || weight->tensor.rank() < 2) continue;
        any = true;
        if (counted.insert(weight->id).second) bytes += weight->tensor.byte_size();
    }
    return any;
}

bool is_compound(const std::string& symbol) {
    return symbol.find_first_of("+*/() ") != std::string::npos;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void look_at_inputs(const Graph& graph, ModelFacts& facts) {
    for (const ValueId id : graph.inputs()) {
        const Value& value = graph.value(id);
        if (value.constant) {
            facts.unread_defaults += value.is_unused();
            continue;
        }
        if (value.is_unused()) facts.unread_inputs.push_back(value.name);
        if (!value.type.is_tensor() || !value.type.shape) continue;
        for (const Dim& dim : *value.type.shape)
            if (dim.is_symbolic() && !is_compound(dim.symbol()))
                add_once(facts.free_dimensions, dim.symbol());
        if (!value.type.shape->empty() && !value.type.shape->front().is_known())
            add_once(facts.free_batches, to_string(value.type.shape->front()));
    }
}

}  // namespace

std::vector<NodeId> nodes_of_shapes(const Graph& graph) {
    std::set<ValueId> sizes;
    std::vector<NodeId> found;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        bool computes = node.domain.empty() && (node.op_type == "Shape" || node.op_type == "Size");
        if (!computes) {
            bool reads_size = false, reads_else = !node.captures.empty();
            for (const ValueId input : node.inputs) {
                if (!input || graph.value(input).is_constant()) continue;
                (sizes.contains(input) ? reads_size : reads_else) = true;
            }
            const bool is_integer = std::ranges::all_of(node.outputs, [&](ValueId output) {
                if (!output) return true;
                const DType type = graph.value(output).type.dtype;
                return type == DType::i64 || type == DType::i32 || type == DType::boolean;
            });
            computes = reads_size && !reads_else && is_integer;
        }
        if (!computes) continue;
        found.push_back(id);
        for (const ValueId output : node.outputs)
            if (output) sizes.insert(output);
    }
    return found;
}

ModelFacts facts_of(const Model& model) {
    const Graph& graph = model.graph;
    ModelFacts facts;
    facts.nodes = graph.node_count();
    facts.opset = model.opset();
    facts.requirement = requirement_of(model);
    ModelSummary summary = summarize(model);
    facts.unsupported = std::move(summary.unsupported);
    facts.weight_bytes = summary.weight_bytes;
    facts.file_bytes = summary.file_bytes;
    facts.external_bytes = summary.external_bytes;
    std::set<ValueId> counted;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (is_quantized(node)) ++facts.quantized_nodes;
        else if (takes_weights(node) &&
                 count_weights(graph, node, counted, facts.quantizable_bytes))
            ++facts.quantizable_nodes;
        for (const ValueId output : node.outputs) {
            if (!output) continue;
            const DType type = graph.value(output).type.dtype;
            facts.double_values += type == DType::f64;
            facts.half_values += type == DType::f16 || type == DType::bf16;
            facts.float_values += type == DType::f32;
        }
    }
    facts.shape_nodes = nodes_of_shapes(graph);
    look_at_inputs(graph, facts);
    for (const ValueId id : graph.outputs())
        if (const Value& value = graph.value(id); value.kind != ValueKind::node_output)
            facts.idle_outputs.push_back(value.name);
    return facts;
}

ModelFacts facts_of(const Model& model, const Model& opened) {
    ModelFacts facts = facts_of(model);
    if (&model == &opened) return facts;
    const ModelFacts own = facts_of(opened);
    facts.quantizable_nodes = own.quantizable_nodes;
    facts.quantizable_bytes = own.quantizable_bytes;
    facts.weight_bytes = own.weight_bytes;
    return facts;
}

PeakTensor peak_tensor(const MemoryReport& report) {
    PeakTensor peak;
    for (const std::size_t index : report.at_peak) {
        const TensorLifetime& tensor = report.tensors[index];
        if (tensor.shares >= 0 || tensor.bytes <= peak.bytes) continue;
        peak = {tensor.name, tensor.type, tensor.written_by, tensor.bytes};
    }
    return peak;
}

MemoryFindings memory_findings(MemoryStudy& study, const MemoryAssumptions& assumptions,
                               const Progress& progress) {
    const MemoryReport report = study.report(assumptions, progress);
    MemoryFindings found;
    found.peak = peak_tensor(report);
    found.needed_bytes = report.needed_bytes;
    found.held_bytes = report.block_bytes;
    found.has_pattern = assumptions.plan;
    found.has_arena = assumptions.arena;
    MemoryAssumptions turned = assumptions;
    turned.plan = !turned.plan;
    found.held_with_pattern_turned = study.report(turned, progress).block_bytes;
    turned = assumptions;
    turned.arena = !turned.arena;
    found.held_with_arena_turned = study.report(turned, progress).block_bytes;
    return found;
}

}  // namespace lapidary
