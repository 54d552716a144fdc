// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/other_forms.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>

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

/// Operators of ai.onnx with forms that are valid before and from a version on, and mean something
/// else from there on. opset_steps.inc has what else changed: forms that are valid on one side
/// alone.
struct ChangedMeaning {
    std::string_view op;
    std::int64_t version;
    bool (*concerns)(const Node& node);
};

bool always(const Node&) { return true; }
bool has_more_outputs(const Node& node) {
    return std::ranges::any_of(node.outputs | std::views::drop(1),
                               [](ValueId output) { return static_cast<bool>(output); });
}
bool names_no_transformation(const Node& node) {
    return !node.has_attribute("coordinate_transformation_mode");
}
bool has_no_axis_input(const Node& node) { return node.inputs.size() < 3 || !node.inputs[2]; }
bool names_other_mode(const Node& node) {
    return node.string_attribute("mode", "nearest") != "nearest";
}

constexpr std::array<ChangedMeaning, 9> changed_meanings{{
    {"Scan", 9, always},                           // goes over a batch before
    {"Dropout", 10, has_more_outputs},             // the mask is of numbers before
    {"Hardmax", 13, always},                       // flattens to a matrix before
    {"LogSoftmax", 13, always},                    // flattens to a matrix before
    {"Softmax", 13, always},                       // flattens to a matrix before
    {"BatchNormalization", 14, has_more_outputs},  // other statistics for training
    {"RoiAlign", 16, names_no_transformation},     // shifts by half a pixel from there on
    {"DFT", 20, has_no_axis_input},                // the axis is 1 before, the last but one then
    {"GridSample", 20, names_other_mode},          // other names of the modes
}};

/// The version between the node's and the imported one that changed what the node means; 0: none.
std::int64_t version_of_other_meaning(const Node& node, std::int64_t imported) {
    if (!node.domain.empty()) return 0;
    const auto [older, newer] = std::minmax(node.version, imported);
    for (const ChangedMeaning& change : changed_meanings)
        if (change.op == node.op_type && older < change.version && change.version <= newer &&
            change.concerns(node))
            return change.version;
    return 0;
}

/// Why the node, which is valid at its version, is not what it was at the imported one; empty: it
/// is.
std::string problem_as_read(const Node& node, const OpSchema* own, const OpSchema* read,
                            const NodeInputs& inputs, std::int64_t imported) {
    Node as_read = node;
    as_read.version = imported;
    if (std::string reason = refusal(as_read, inputs); !reason.empty())
        return "where it is not valid: " + reason;
    if (read && read->deprecated && !own->deprecated)
        return fmt::format("which has no {} since opset {}", node.op_type, read->since_version);
    if (const std::int64_t version = version_of_other_meaning(node, imported); version > 0)
        return fmt::format("where it means something else: {} changed with opset {}", node.op_type,
                           version);
    return {};
}

std::string form_problem(const Graph& graph, const Node& node, std::int64_t imported) {
    const OpSchema* const own = find_schema(node.domain, node.op_type, node.version);
    const OpSchema* const read = find_schema(node.domain, node.op_type, imported);
    if (!own || own == read) return {};
    const NodeInputs inputs = inputs_of(graph, node);
    if (!refusal(node, inputs).empty()) return {};
    const std::string problem = problem_as_read(node, own, read, inputs, imported);
    if (problem.empty()) return {};
    const std::string domain = node.domain.empty() ? std::string() : " of " + node.domain;
    return fmt::format("it has the form of opset {}, the model imports opset {}{}, {}",
                       node.version, imported, domain, problem);
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
