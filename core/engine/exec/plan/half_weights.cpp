// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/half_weights.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "rewrite/half_floats.h"
#include "rewrite/narrowed_constant.h"
#include "rewrite/widened_constant.h"

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
const Value* large_weight(const Graph& graph, const Node& node,
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
    if (const Value* const weight = large_weight(graph, node, around)) visit(*weight);
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

/// Rounds the weights of a graph and of its bodies. Each weight is rounded once, so that kernels of
/// several bodies share what they pack.
class Rounding {
public:
    Rounding(DType half, const CancelToken& cancel) : half_(half), cancel_(cancel) {}

    /// Returns how many products read rounded weights.
    std::size_t run(Graph& graph) {
        GraphEdit edit(graph);
        std::map<ValueId, ValueId> rounded;  // weights of this graph, and what stands for them
        std::size_t count = 0;
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (const NodeId id : nodes) {
            cancel_.throw_if_cancelled();
            count += run_on_bodies(graph, edit, id);
            const Value* const weight = large_weight(graph, graph.node(id), around_);
            const Tensor* const halves = weight ? rounded_of(*weight) : nullptr;
            if (!halves) continue;
            const ValueId read = graph.node(id).inputs[1];
            if (!rounded.contains(read))
                rounded[read] = edit.add_initializer(
                    edit.fresh_name(graph.value(read).name + "_rounded"), *halves);
            edit.set_input(id, 1, rounded[read]);
            ++count;
        }
        for (const auto& [wide, halves] : rounded)
            if (graph.value(wide).is_unused()) edit.erase_value(wide);
        edit.finish();
        return count;
    }

private:
    /// Identity and shape of a constant.
    using Key = std::pair<const void*, std::vector<std::int64_t>>;

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
    /// Null: float16 cannot hold it.
    const Tensor* rounded_of(const Value& weight) {
        const Shape& shape = weight.constant->shape();
        const Key key{weight.constant->identity(),
                      std::vector<std::int64_t>(shape.begin(), shape.end())};
        if (const auto known = rounded_.find(key); known != rounded_.end())
            return known->second ? &*known->second : nullptr;
        std::optional<Tensor>& rounded = rounded_[key];
        sources_.push_back(*weight.constant);
        if (half_ == DType::f16 && !half_constant_problem(weight).empty()) return nullptr;
        rounded = widened_constant(narrowed_constant(*weight.constant, half_));
        return &*rounded;
    }

    const DType half_;
    const CancelToken& cancel_;
    std::vector<const Graph*> around_;  // the graphs that enclose the one that is edited
    std::map<Key, std::optional<Tensor>> rounded_;  // nothing: float16 cannot hold it
    std::vector<Tensor> sources_;                   // kept, so that no identity comes twice
};

}  // namespace

std::vector<Tensor> large_weights(const Graph& graph, const Node& node) {
    std::vector<Tensor> weights;
    std::vector<const Graph*> around;
    for_each_large_weight(graph, node, around,
                          [&](const Value& weight) { weights.push_back(*weight.constant); });
    return weights;
}

std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel) {
    return Rounding(half, cancel).run(model.graph);
}

}  // namespace lapidary
