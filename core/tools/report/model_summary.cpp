// SPDX-License-Identifier: Apache-2.0
#include <lapidary/report/model_summary.h>

#include <optional>

#include <lapidary/base/error.h>

#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "kernels/kernel.h"
#include "kernels/node_reads.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

/// Why no run can execute the node, or nothing.
std::optional<std::string> reason_unsupported(const Model& model, const Node& node) {
    if (model.find_function(node.domain, node.op_type, node.overload)) return std::nullopt;
    const std::string domain = node.domain.empty() ? "ai.onnx" : node.domain;
    // as runs take it
    const std::int64_t version = node.version > 0 || node.domain.empty() ? node.version : 1;
    if (!is_known_operator(node.domain, node.op_type) &&
        !has_kernel(node.domain, node.op_type, version)) {
        const bool is_open = !domain.starts_with("ai.onnx") && domain != "com.microsoft";
        return "unknown operator of domain " + quote(domain) +
               (is_open ? ": a plugin can define it" : "");
    }
    std::string reason;
    if (!has_kernel(node.domain, node.op_type, version, &reason))
        return reason.empty() ? "there is no kernel for it" : reason;
    return unread_part(node);
}

void count_weights(const Graph& graph, ModelSummary& summary) {
    for_each_constant(graph, [&](const Tensor& tensor) {
        summary.parameters += tensor.size();
        summary.parameters_by_dtype[std::string(name_of(tensor.dtype()))] += tensor.size();
        summary.weight_bytes += tensor.byte_size();
    });
    for (const NodeId id : graph.nodes())
        if (const std::optional<Tensor> held = constant_of(graph.node(id)))
            summary.constant_elements += held->size();
}

}  // namespace

ModelSummary summarize(const Model& model) {
    ModelSummary summary;
    for (const ValueId id : model.graph.inputs()) {
        const Value& value = model.graph.value(id);
        if (!value.constant) summary.inputs.emplace_back(value.name, value.type);
    }
    for (const ValueId id : model.graph.outputs())
        summary.outputs.emplace_back(model.graph.value(id).name, model.graph.value(id).type);
    const auto look_for_unsupported = [&](const Graph& graph, const std::string& place) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (const auto reason = reason_unsupported(model, node))
                summary.unsupported.push_back(
                    {&graph == &model.graph ? node.describe() : place + "/" + node.describe(),
                     node.qualified_op(), *reason});
        }
    };
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            ++summary.nodes;
            ++summary.operators[graph.node(id).qualified_op()];
        }
        count_weights(graph, summary);
    });
    // bodies of functions too: a call is as good as what it calls
    for_each_graph(model, look_for_unsupported);
    summary.file_bytes = model.file_bytes;
    summary.external_bytes = model.external_bytes;
    summary.warnings = model.warnings;
    return summary;
}

}  // namespace lapidary
