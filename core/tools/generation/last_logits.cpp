// SPDX-License-Identifier: Apache-2.0
#include "generation/last_logits.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

constexpr std::int64_t token_axis = 1;  // of [sequences, tokens, ...]

/// Where the last token is taken.
struct LastPlace {
    std::string reason;            // against it; empty: there is a place
    NodeId node;                   // that reads it
    std::size_t input = 0;         // of it
    std::vector<ValueId> shorter;  // values behind it, which have one token then
};

bool has_three_axes(const Value& value) {
    return value.type.shape && value.type.shape->size() == 3;
}

/// A constant, or what nodes make of constants alone.
bool is_made_of_constants(const Graph& graph, ValueId id, int depth = 3) {
    if (!id) return true;
    const Value& value = graph.value(id);
    if (value.is_constant()) return true;
    if (value.kind != ValueKind::node_output || depth == 0) return false;
    const Node& node = graph.node(value.producer);
    return !node.inputs.empty() && std::ranges::all_of(node.inputs, [&](ValueId input) {
        return is_made_of_constants(graph, input, depth - 1);
    });
}

/// The same for every token: of no axis, or of the last one alone.
bool is_same_for_tokens(const Graph& graph, ValueId id) {
    if (!id) return true;
    const Value& value = graph.value(id);
    return is_made_of_constants(graph, id) && value.type.shape && value.type.shape->size() < 2;
}

/// Multiplies each token with the same matrix.
bool is_head(const Graph& graph, const Node& node) {
    const std::string op = node.qualified_op();
    if (op != "MatMul" && op != "com.microsoft::FusedMatMul" && op != "com.microsoft::MatMulNBits")
        return false;
    if (node.int_attribute("transA", 0) != 0 || node.int_attribute("transBatchA", 0) != 0)
        return false;
    const auto others = std::span(node.inputs).subspan(1);
    if (others.empty() || !std::ranges::all_of(others, [&](ValueId input) {
            return is_made_of_constants(graph, input);
        }))
        return false;
    const Value& weight = graph.value(others[0]);
    return op == "com.microsoft::MatMulNBits" ||
           (weight.type.shape && weight.type.shape->size() == 2);
}

/// Computes each element of a token from that element and constants.
bool is_elementwise(const Graph& graph, const Node& node, std::size_t moving) {
    static constexpr std::string_view names[] = {"Cast",
                                                 "Add",
                                                 "Sub",
                                                 "Mul",
                                                 "Div",
                                                 "Tanh",
                                                 "Identity",
                                                 "QuantizeLinear",
                                                 "DequantizeLinear"};
    if (!node.domain.empty() || std::ranges::find(names, node.op_type) == std::end(names))
        return false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (i != moving && !is_same_for_tokens(graph, node.inputs[i])) return false;
    return true;
}

std::size_t moving_input(const Graph& graph, const Node& node) {
    const auto found = std::ranges::find_if(
        node.inputs, [&](ValueId input) { return !is_made_of_constants(graph, input); });
    return static_cast<std::size_t>(found - node.inputs.begin());
}

bool is_rounding(const Node& node) {
    return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
}

LastPlace find_place(const Graph& graph, const std::string& logits) {
    LastPlace place;
    const auto refused = [&](std::string why) {
        place.reason = std::move(why);
        return place;
    };
    const ValueId last = graph.find_value(logits);
    bool behind_head = false;  // the head was found
    for (ValueId at = last; at;) {
        const Value& value = graph.value(at);
        const bool is_sole =
            at == last ? value.uses.empty() && value.captured_by.empty() && value.output_uses == 1
                       : value.read_once();
        if (behind_head && (!is_sole || value.kind != ValueKind::node_output ||
                            !is_rounding(graph.node(value.producer))))
            return place;
        const std::string name = "value " + quote(value.name);
        if (value.kind != ValueKind::node_output) return refused(name + " is no result of a node");
        if (!is_sole) return refused(name + " is read elsewhere too");
        if (!has_three_axes(value)) return refused(name + " has not three axes");
        const Node& node = graph.node(value.producer);
        const std::size_t moving = moving_input(graph, node);
        if (moving == node.inputs.size()) return refused(node.describe() + " reads no tokens");
        const bool is_product = !behind_head && moving == 0 && is_head(graph, node);
        if (!is_product && !is_elementwise(graph, node, moving)) {
            if (behind_head) return place;
            return refused(node.describe() + " is no product with a constant matrix");
        }
        if (!has_three_axes(graph.value(node.inputs[moving])))
            return behind_head ? place
                               : refused(node.describe() + " reads what has not three axes");
        place.node = node.id;
        place.input = moving;
        place.shorter.push_back(at);
        behind_head = behind_head || is_product;
        at = node.inputs[moving];
    }
    return refused("there is no value " + quote(logits));
}

}  // namespace

std::string reason_against_last_logits(const Model& model, const std::string& logits) {
    if (model.opset() < 11)
        return "opset " + std::to_string(model.opset()) + " has no Gather that counts from the end";
    return find_place(model.graph, logits).reason;
}

Model with_last_logits(const Model& model, const std::string& logits, const CancelToken& cancel) {
    Model changed = copy_model(model, cancel);
    Graph& graph = changed.graph;
    const LastPlace place = find_place(graph, logits);
    if (!place.reason.empty()) fail_unsupported(place.reason);
    GraphEdit edit(graph, "last_logits");
    edit.set_default_version(changed.opset());
    const ValueId tokens = graph.node(place.node).inputs[place.input];
    const ValueId last =
        edit.add_initializer(edit.fresh_name("last_token"),
                             Tensor::of<std::int64_t>({1}, std::vector{std::int64_t{-1}}));
    const ValueId token = edit.node("Gather", {tokens, last}, {{"axis", token_axis, {}, {}}});
    edit.set_input(place.node, place.input, token);
    for (const ValueId id : place.shorter) {
        Type type = graph.value(id).type;
        (*type.shape)[token_axis] = Dim(1);
        edit.set_type(id, std::move(type));
    }
    edit.record("logits of the last token alone");
    edit.finish();
    infer_types(changed);
    return changed;
}

}  // namespace lapidary
