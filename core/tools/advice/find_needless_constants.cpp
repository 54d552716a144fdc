// SPDX-License-Identifier: Apache-2.0
// Constants that a model holds twice or computes in each run, weights that are no constants because
// they are inputs, conditions that are constants, and loops that were written out step by step over
// the same weights.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "advice/export_search.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr std::size_t least_weight_bytes = 1024;  // smaller ones are not worth a word

bool has_bodies(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& attribute) {
        return std::holds_alternative<GraphPtr>(attribute.value) ||
               std::holds_alternative<std::vector<GraphPtr>>(attribute.value);
    });
}

/// Weights kept small on purpose: quantized, in 16 bits, or one element for many.
bool is_kept_small(const Graph& graph, const Node& node) {
    if (node.op_type == "DequantizeLinear" || node.op_type == "ConstantOfShape" ||
        node.op_type == "Expand" || node.op_type == "Tile" || node.op_type == "Range" ||
        node.op_type == "OneHot")
        return true;
    if (node.op_type != "Cast" || node.inputs.empty() || !node.inputs[0]) return false;
    const DType from = graph.value(node.inputs[0]).type.dtype;
    return from == DType::f16 || from == DType::bf16;
}

bool reads_only(const Node& node, const std::unordered_set<ValueId>& constants) {
    bool any = false;
    for (const ValueId input : node.inputs) {
        if (!input) continue;
        if (!constants.contains(input)) return false;
        any = true;
    }
    return any && node.captures.empty();
}

std::string text_of(const std::optional<Tensor>& condition) {
    if (!condition || condition->dtype() != DType::boolean || condition->size() != 1) return "?";
    return condition->data<bool>()[0] ? "true" : "false";
}

/// The most nodes of `readers` on one path of the graph.
std::size_t longest_row(const Graph& graph, const std::unordered_set<NodeId>& readers) {
    std::unordered_map<ValueId, std::size_t> before;
    std::size_t longest = 0;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        std::size_t row = 0;
        for (const auto* list : {&node.inputs, &node.captures})
            for (const ValueId input : *list)
                if (const auto at = before.find(input); at != before.end())
                    row = std::max(row, at->second);
        row += readers.contains(id);
        if (row == 0) continue;
        for (const ValueId output : node.outputs)
            if (output) before[output] = row;
        longest = std::max(longest, row);
    }
    return longest;
}

}  // namespace

void find_duplicate_weights(ExportSearch& search) {
    const Graph& graph = search.graph();
    std::map<std::pair<DType, Shape>, std::vector<ValueId>> alike;  // all different
    for (const ValueId id : graph.initializers()) {  // inputs with a default are among them
        search.cancel().throw_if_cancelled();
        const Value& value = graph.value(id);
        if (!value.constant || value.sparse || value.constant->dtype() == DType::string ||
            value.constant->byte_size() < least_weight_bytes || value.is_unused())
            continue;
        auto& seen = alike[{value.constant->dtype(), value.constant->shape()}];
        const auto same = std::ranges::find_if(seen, [&](ValueId other) {
            return same_contents(*graph.value(other).constant, *value.constant);
        });
        if (same == seen.end()) seen.push_back(id);
        else
            search.add_weight(ExportDefect::duplicate_weight, value, "at",
                              {graph.value(*same).name, to_string(value.type)});
    }
}

void find_unfolded_constants(ExportSearch& search) {
    const Graph& graph = search.graph();
    std::unordered_set<ValueId> constants;
    for (const ValueId id : graph.initializers()) constants.insert(id);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if ((node.op_type == "If" || node.op_type == "Where") && node.domain.empty() &&
            !node.inputs.empty() && constants.contains(node.inputs[0]) &&
            (node.op_type == "If" || graph.value(node.inputs[0]).type.shape == SymbolicShape())) {
            search.add(ExportDefect::decided_branch, node, "at",
                       {text_of(graph.value(node.inputs[0]).constant)});
            continue;
        }
        if (!reads_only(node, constants) || has_bodies(node) || !node.domain.empty() ||
            traits_of(node).has(OperatorFact::random) || is_kept_small(graph, node))
            continue;
        for (const ValueId output : node.outputs)
            if (output) constants.insert(output);
        std::string inputs;
        for (const ValueId input : node.inputs)
            if (input) inputs += (inputs.empty() ? "" : ", ") + graph.value(input).name;
        search.add(ExportDefect::unfolded_constant, node, "at", {inputs});
    }
}

void find_weight_inputs(ExportSearch& search) {
    // below it all initializers have to be inputs, and readers take them as constants
    constexpr std::int64_t plain_initializers = 4;
    const Graph& graph = search.graph();
    if (&graph != &search.model().graph || search.model().ir_version < plain_initializers) return;
    std::uint64_t all_bytes = 0, input_bytes = 0;
    bool has_matrix = false;  // an option of the model is no weight
    for (const ValueId id : graph.initializers())
        if (const Value& value = graph.value(id); value.constant)
            all_bytes += value.constant->byte_size();
    std::vector<ValueId> weights;
    for (const ValueId id : graph.inputs()) {
        const Value& value = graph.value(id);
        if (!value.constant) continue;
        weights.push_back(id);
        input_bytes += value.constant->byte_size();
        has_matrix |= value.constant->rank() >= 2;
    }
    if (!has_matrix || 2 * input_bytes < all_bytes) return;
    for (const ValueId id : weights)
        search.add_weight(ExportDefect::weight_input, graph.value(id), "at",
                          {to_string(graph.value(id).type)});
}

void find_unrolled_loops(ExportSearch& search) {
    constexpr std::size_t least_steps = 8, most_weights = 16;
    const Graph& graph = search.graph();
    std::unordered_set<std::size_t> lengths;  // the other weights of a loop say nothing new
    std::size_t looked_at = 0;
    for (const ValueId id : graph.initializers()) {
        const Value& weight = graph.value(id);
        if (!weight.constant || weight.constant->rank() < 2 ||
            weight.constant->byte_size() < least_weight_bytes || weight.uses.size() < least_steps)
            continue;
        std::unordered_set<NodeId> readers;
        for (const Use& use : weight.uses)
            if (traits_of(graph.node(use.node)).layout == OperatorLayout::product ||
                traits_of(graph.node(use.node)).layout == OperatorLayout::convolution)
                readers.insert(use.node);
        if (readers.size() < least_steps || ++looked_at > most_weights) continue;
        const std::size_t steps = longest_row(graph, readers);
        if (steps < least_steps || !lengths.insert(steps).second) continue;
        search.add(ExportDefect::unrolled_loop, graph.node(weight.uses.front().node), "at",
                   {weight.name, std::to_string(steps)});
    }
}

}  // namespace lapidary
