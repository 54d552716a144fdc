// SPDX-License-Identifier: Apache-2.0
#include <lapidary/quantize/quantize_plan.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "graph/traversal.h"
#include "quantize/weights/tied_weights.h"
#include "quantize/writers/bound_masks.h"
#include "quantize/least_opset.h"
#include "quantize/writers/placement.h"
#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

// prepare_for_quantization() raises every model to it
constexpr std::int64_t opset_of_prepared = 13;

/// The options that select nodes by name.
using Names = std::set<std::pair<std::string, std::string>>;  // place and name

Names quantized_names(const std::vector<NodeDecision>& decisions) {
    Names names;
    for (const NodeDecision& node : decisions)
        if (node.quantized) names.emplace(node.place, node.name);
    return names;
}

/// The decisions of quantize_model() without samples; improvements do not change them.
std::vector<NodeDecision> decided_without_samples(const Model& model, QuantizeOptions options,
                                                  const Progress& progress) {
    options.equalize = options.smoothing_by_input = options.compensated_rounding = false;
    options.smoothing = 0;
    options.fitted_blocks = false;
    options.rotation = 0;
    return quantize_model(model, options, nullptr, progress).nodes;
}

std::string value_of(const Graph& graph, const Node& node) {
    const auto named =
        std::ranges::find_if(node.outputs, [](ValueId value) { return bool(value); });
    return named == node.outputs.end() ? std::string() : graph.value(*named).name;
}

PlannedNode planned(const Graph& graph, const Node& node, const QuantizeOptions& options,
                    bool inner) {
    PlannedNode plan;
    plan.value = value_of(graph, node);
    plan.op_type = node.op_type;
    plan.inner = inner;
    plan.holds_graphs = std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
        return std::holds_alternative<GraphPtr>(attribute.value) ||
               std::holds_alternative<std::vector<GraphPtr>>(attribute.value);
    });
    plan.asked_float = keeping_pattern(graph, node, options) != nullptr;
    std::string ignored;
    plan.weight_alone = !inner && !plan.asked_float && wants_weight_alone(graph, node, options) &&
                        weighted_product(graph, node, ignored);
    const auto is_float = [&](ValueId value) { return value && is_f32(graph, value); };
    plan.reads_float =
        std::ranges::any_of(node.inputs, is_float) || std::ranges::any_of(node.outputs, is_float);
    return plan;
}

/// Activations that go into the rounding after them are quantized with it.
bool is_placed(const Graph& graph, const Node& node, const Placement& placement) {
    if (placement.readers.contains(node.id)) return true;
    if (!is_absorbed(node) || node.outputs.empty() || !placement.pairs.contains(node.outputs[0]))
        return false;
    const Value& before = graph.value(node.inputs.at(0));
    return before.kind == ValueKind::node_output &&
           is_placed(graph, graph.node(before.producer), placement);
}

}  // namespace

QuantizePlan plan_quantization(const Model& model, const QuantizeOptions& options,
                               const std::vector<NodeDecision>& decided, const Progress& progress) {
    QuantizePlan plan;
    std::vector<std::string> notes;  // reported by quantizing itself
    plan.least_opset = std::max(least_opset(options), opset_of_prepared);
    Model prepared = prepare_for_quantization(model, plan.least_opset, notes, progress);
    if (separates_tied_weights(options)) separate_tied_weights(prepared.graph);
    const bool is_static = options.mode == QuantizeMode::static_qdq;
    const bool own_rules = is_static && options.placement == StaticPlacement::benefit;
    const Placement placement = own_rules ? place_by_benefit(prepared.graph, options) : Placement();
    Names names;
    if (!is_static)
        names = quantized_names(decided.empty() ? decided_without_samples(model, options, progress)
                                                : decided);
    for_each_graph(prepared.graph, [&](const Graph& graph, const std::string& place) {
        const bool inner = &graph != &prepared.graph;
        for (NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            PlannedNode one = planned(graph, node, options, inner);
            if (own_rules) one.weight_alone = !inner && placement.weights_alone.contains(id);
            if (one.asked_float || one.weight_alone) one.quantized = false;
            else if (!is_static) one.quantized = names.contains({place, keep_name(graph, node)});
            else if (own_rules) one.quantized = !inner && is_placed(graph, node, placement);
            else one.quantized = !inner;
            plan.nodes.push_back(std::move(one));
        }
    });
    const bool may_bound = options.bound_masks && (is_static || options.mode == QuantizeMode::half);
    plan.bounds_masks = may_bound && !mask_constants(prepared.graph).empty();
    return plan;
}

}  // namespace lapidary
