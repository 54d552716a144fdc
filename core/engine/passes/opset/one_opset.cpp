// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/one_opset.h"

#include <lapidary/base/error.h>

#include "graph/copy_model.h"
#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "ops/schemas/schema.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

bool is_of_other_form(const Node& node, std::int64_t opset) {
    if (!node.domain.empty() || node.version <= 0 || node.version == opset) return false;
    return find_schema("", node.op_type, node.version) != find_schema("", node.op_type, opset) ||
           version_of_change(node, opset) > 0;
}

bool has_other_forms(const Model& model) {
    const std::int64_t opset = model.opset();
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes())
            found = found || is_of_other_form(graph.node(id), opset);
    });
    return found;
}

}  // namespace

void convert_to_one_opset(Model& model, const Progress& progress) {
    if (model.opset() <= 0 || !has_other_forms(model)) return;
    Model converted = copy_model(model, progress.cancel);
    lift_constants(converted, progress.cancel);  // steps read lists that are constants
    try {
        convert_nodes(converted, model.opset(), progress);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::invalid_model || error.code() == ErrorCode::invalid_input ||
            error.code() == ErrorCode::not_supported)
            return;
        throw;
    }
    converted.ir_version = model.ir_version;
    model = std::move(converted);
}

}  // namespace lapidary
