// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/large_weights.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {
namespace {

/// Smaller ones stay in the caches of a CPU, whatever their type.
constexpr std::int64_t least_elements = std::int64_t{1} << 16;

constexpr std::array<std::string_view, 9> products{"Gemm",
                                                   "MatMul",
                                                   "com.microsoft::Attention",
                                                   "com.microsoft::FusedGemm",
                                                   "com.microsoft::FusedMatMul",
                                                   "com.microsoft::FusedMatMulActivation",
                                                   "com.microsoft::GemmFastGelu",
                                                   "com.microsoft::TransposeMatMul",
                                                   "lapidary::Product"};

/// Matrices of four columns or fewer are not packed in 16 bits.
bool is_large_matrix(const Tensor& weight) {
    const Shape& shape = weight.shape();
    return shape.size() >= 2 && weight.size() >= least_elements &&
           std::min(shape[shape.size() - 1], shape[shape.size() - 2]) > 4;
}

bool is_large_weight(const Value& value) {
    return value.is_constant() && value.constant && value.constant->dtype() == DType::f32 &&
           is_large_matrix(*value.constant) && !value.constant->widened_from();
}

/// The constant that a value of a graph is, in the graph or in those around it; null: it is
/// computed. `around`: from the outermost graph to the one that encloses `graph`.
const Value* constant_behind(const Value& value, std::span<const Graph* const> around) {
    const Value* found = &value;
    for (auto graph = around.rbegin(); found->kind == ValueKind::captured && graph != around.rend();
         ++graph)
        found = &(*graph)->value(found->outer);
    return found->is_constant() ? found : nullptr;
}

/// The constant that the node multiplies by, if it is large enough; else null.
const Value* large_weight_among(const Graph& graph, const Node& node,
                                std::span<const Graph* const> around) {
    if (std::ranges::find(products, std::string_view(node.qualified_op())) == products.end() ||
        node.inputs.size() < 2 || !node.inputs[1])
        return nullptr;
    const Value* const weight = constant_behind(graph.value(node.inputs[1]), around);
    return weight && is_large_weight(*weight) ? weight : nullptr;
}

/// Calls `visit` with the weights of the node and of products in its bodies.
void for_each_large_weight(const Graph& graph, const Node& node, std::vector<const Graph*>& around,
                           const std::function<void(const Value&)>& visit) {
    if (const Value* const weight = large_weight_among(graph, node, around)) visit(*weight);
    around.push_back(&graph);
    for (const Attribute& attribute : node.attributes)
        if (const auto* body = std::get_if<GraphPtr>(&attribute.value); body && *body)
            for (const NodeId id : (*body)->nodes())
                for_each_large_weight(**body, (*body)->node(id), around, visit);
    around.pop_back();
}

bool has_large_weights(const Graph& body, std::vector<const Graph*>& around) {
    bool found = false;
    for (const NodeId id : body.nodes())
        for_each_large_weight(body, body.node(id), around, [&](const Value&) { found = true; });
    return found;
}

class Conversion {
public:
    Conversion(WeightConversion& how, const CancelToken& cancel) : how_(how), cancel_(cancel) {}

    std::size_t run(Graph& graph) {
        GraphEdit edit(graph);
        std::set<ValueId> replaced;
        std::size_t count = 0;
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (const NodeId id : nodes) {
            cancel_.throw_if_cancelled();
            count += run_on_bodies(graph, edit, id);
            const Value* const found = large_weight_among(graph, graph.node(id), around_);
            if (!found) continue;
            const Value weight = *found;  // values move as others are added
            const ValueId read = graph.node(id).inputs[1];
            if (!how_.convert(edit, id, weight)) continue;
            replaced.insert(read);
            ++count;
        }
        for (const ValueId read : replaced)
            if (graph.value(read).is_unused()) edit.erase_value(read);
        edit.finish();
        return count;
    }

private:
    std::size_t run_on_bodies(Graph& graph, GraphEdit& edit, NodeId id) {
        std::size_t count = 0;
        around_.push_back(&graph);
        for (Attribute attribute : graph.node(id).attributes) {
            auto* const body = std::get_if<GraphPtr>(&attribute.value);
            if (!body || !*body || !has_large_weights(**body, around_)) continue;
            const auto copy = std::make_shared<Graph>(**body);
            count += run(*copy);
            *body = copy;
            edit.set_attribute(id, std::move(attribute));
        }
        around_.pop_back();
        return count;
    }

    WeightConversion& how_;
    const CancelToken& cancel_;
    std::vector<const Graph*> around_;  // the graphs that enclose the one that is edited
};

}  // namespace

std::vector<Tensor> large_weights(const Graph& graph, const Node& node) {
    std::vector<Tensor> weights;
    std::vector<const Graph*> around;
    for_each_large_weight(graph, node, around,
                          [&](const Value& weight) { weights.push_back(*weight.constant); });
    return weights;
}

const Value* large_weight(const Graph& graph, const Node& node) {
    return large_weight_among(graph, node, {});
}

std::size_t convert_large_weights(Model& model, WeightConversion& how, const CancelToken& cancel) {
    return Conversion(how, cancel).run(model.graph);
}

}  // namespace lapidary
