// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/model_facts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <lapidary/dtype.h>

namespace lapidary::app {
namespace {

bool takesWeights(const Node& node) {
    static const std::set<std::string_view> plain{"MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "GRU", "RNN"};
    static const std::set<std::string_view> contrib{"FusedMatMul", "FusedGemm", "FusedConv",
                                                    "Attention",   "Conv",      "MultiHeadAttention"};
    return (node.domain.empty() ? plain : contrib).contains(node.op_type);
}

bool isQuantized(const Node& node) {
    const std::string_view op = node.op_type;
    return op.find("QLinear") != op.npos || op.find("Quantize") != op.npos || op.find("Integer") != op.npos ||
           op.find("NBits") != op.npos || op == "QAttention";
}

std::uint64_t weightBytes(const Graph& graph, const Node& node) {
    std::uint64_t bytes = 0;
    for (const ValueId input : node.inputs) {
        if (!input) continue;
        const Value& value = graph.value(input);
        if (!value.is_constant() || !value.constant || !is_float(value.constant->dtype()) ||
            value.constant->shape().size() < 2)
            continue;
        bytes += value.constant->byte_size();
    }
    return bytes;
}

}  // namespace

ModelFacts factsOf(const Model& model) {
    const Graph& graph = model.graph;
    ModelFacts facts;
    facts.nodes = graph.node_count();
    facts.opset = model.opset();
    facts.requirement = requirement_of(model);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (isQuantized(node)) ++facts.quantized_nodes;
        else if (takesWeights(node))
            if (const std::uint64_t bytes = weightBytes(graph, node); bytes > 0) {
                ++facts.quantizable_nodes;
                facts.quantizable_bytes += bytes;
            }
        if (node.domain.empty() && (node.op_type == "Shape" || node.op_type == "Size")) ++facts.shape_nodes;
        for (const ValueId output : node.outputs) {
            if (!output) continue;
            const DType type = graph.value(output).type.dtype;
            facts.double_values += type == DType::f64;
            facts.half_values += type == DType::f16 || type == DType::bf16;
            facts.float_values += type == DType::f32;
        }
    }
    for (const ValueId id : graph.values())
        if (const Value& value = graph.value(id); value.constant) facts.weight_bytes += value.constant->byte_size();
    for (const ValueId id : graph.inputs())
        if (const Value& value = graph.value(id); value.is_unused() && !value.constant)
            facts.unread_inputs.push_back(value.name);
    for (const ValueId id : graph.outputs())
        if (const Value& value = graph.value(id); value.kind != ValueKind::node_output)
            facts.idle_outputs.push_back(value.name);
    return facts;
}

PeakTensor peakTensor(const MemoryReport& report) {
    PeakTensor peak;
    peak.needed = report.needed_bytes;
    for (const std::size_t index : report.at_peak) {
        const TensorLifetime& tensor = report.tensors[index];
        if (tensor.shares >= 0 || tensor.bytes <= peak.bytes) continue;
        peak.name = tensor.name;
        peak.type = tensor.type;
        peak.node = tensor.written_by;
        peak.bytes = tensor.bytes;
    }
    return peak;
}

}  // namespace lapidary::app
