// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/other_forms.h"

#include <fmt/format.h>
#include <lapidary/base/error.h>

#include "ops/inference/infer_node.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

struct NodeInputs {
    std::vector<Type> types;
    std::vector<const Tensor*> constants;  // null where an input is none
};

NodeInputs inputs_of(const Graph& graph, const Node& node) {
    NodeInputs inputs;
    for (const ValueId id : node.inputs) {
        const Value* const value = id ? &graph.value(id) : nullptr;
        inputs.types.push_back(value ? value->type : Type());
        inputs.constants.push_back(
            value && value->is_constant() && value->constant ? &*value->constant : nullptr);
    }
    return inputs;
}

/// Why the node cannot be valid at its version; empty: it can.
std::string refusal(const Node& node, const NodeInputs& inputs) {
    try {
        infer_node_types(node, inputs.types, inputs.constants);
        return {};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_model && error.code() != ErrorCode::not_supported)
            throw;
        return error.message();
    }
}

std::string form_problem(const Graph& graph, const Node& node, std::int64_t imported) {
    const OpSchema* const own = find_schema(node.domain, node.op_type, node.version);
    if (!own || own == find_schema(node.domain, node.op_type, imported)) return {};
    const NodeInputs inputs = inputs_of(graph, node);
    if (!refusal(node, inputs).empty()) return {};
    Node as_read = node;
    as_read.version = imported;
    const std::string reason = refusal(as_read, inputs);
    if (reason.empty()) return {};
    const std::string domain = node.domain.empty() ? std::string() : " of " + node.domain;
    return fmt::format(
        "it has the form of opset {}, the model imports opset {}{}, where it is not valid: {}",
        node.version, imported, domain, reason);
}

}  // namespace

std::vector<OtherForm> nodes_of_other_forms(const Graph& graph,
                                            const std::map<std::string, std::int64_t>& imports) {
    std::vector<OtherForm> found;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const auto import = imports.find(node.domain);
        if (import == imports.end() || node.version <= 0 || node.version == import->second)
            continue;
        if (std::string reason = form_problem(graph, node, import->second); !reason.empty())
            found.push_back({id, std::move(reason)});
    }
    return found;
}

}  // namespace lapidary
