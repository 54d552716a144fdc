// SPDX-License-Identifier: Apache-2.0
#include "inputs/weight_sizes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/at.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

/// Input 0 has along `axis` (negative: from the end) the size of input 1 along `weight_axis`.
struct Demand {
    std::string_view op;
    std::int64_t axis, weight_axis;
};
constexpr std::array<Demand, 9> demands{{{"BatchNormalization", 1, 0},
                                         {"ConvTranspose", 1, 0},
                                         {"GRU", 2, 2},
                                         {"InstanceNormalization", 1, 0},
                                         {"LSTM", 2, 2},
                                         {"LayerNormalization", -1, -1},
                                         {"MatMul", -1, -2},
                                         {"RMSNormalization", -1, -1},
                                         {"RNN", 2, 2}}};

class Sizes {
public:
    explicit Sizes(const Graph& graph) : graph_(graph) {
        for (const NodeId id : graph.nodes()) look_at(graph.node(id));
    }
    std::map<std::string, std::int64_t> take() { return std::move(found_); }

private:
    const Shape* constant_shape(const Node& node, std::size_t input) const {
        if (input >= node.inputs.size() || !node.inputs[input]) return nullptr;
        const Value& value = graph_.value(node.inputs[input]);
        return value.is_constant() && value.constant ? &value.constant->shape() : nullptr;
    }

    /// The axis of the input has that size.
    void fix(const Node& node, std::size_t input, std::int64_t axis, std::int64_t size) {
        if (!node.inputs[input] || !graph_.value(node.inputs[input]).type.shape) return;
        const SymbolicShape& shape = *graph_.value(node.inputs[input]).type.shape;
        if (axis < 0) axis += std::ssize(shape);
        if (axis < 0 || axis >= std::ssize(shape)) return;
        if (const Dim& dim = at(shape, axis); dim.is_symbolic()) found_.emplace(dim.symbol(), size);
    }

    void look_at(const Node& node) {
        if (!node.domain.empty() || node.inputs.size() < 2) return;
        if (traits_of(node).layout == OperatorLayout::binary) return broadcast(node);
        const Shape* const weight = constant_shape(node, 1);
        if (!weight || weight->empty()) return;
        if (node.op_type == "Conv" && weight->size() > 2)
            return fix(node, 0, 1,
                       (*weight)[1] * std::max<std::int64_t>(1, node.int_attribute("group", 1)));
        if (node.op_type == "Gemm" && weight->size() == 2)
            return fix(node, 0, node.int_attribute("transA", 0) ? 0 : 1,
                       (*weight)[node.int_attribute("transB", 0) ? 1 : 0]);
        const auto* const demand =
            std::ranges::find(demands, std::string_view(node.op_type), &Demand::op);
        if (demand == demands.end()) return;
        std::int64_t axis = demand->weight_axis < 0 ? demand->weight_axis + std::ssize(*weight)
                                                    : demand->weight_axis;
        if (node.op_type == "MatMul" && weight->size() == 1) axis = 0;
        if (axis >= 0 && axis < std::ssize(*weight)) fix(node, 0, demand->axis, at(*weight, axis));
    }

    void broadcast(const Node& node) {
        for (std::size_t i = 0; i < 2; ++i) {
            const Shape* const weight = constant_shape(node, i);
            if (!weight) continue;
            for (std::int64_t back = 1; back <= std::ssize(*weight); ++back)
                if (const std::int64_t size =
                        (*weight)[weight->size() - static_cast<std::size_t>(back)];
                    size > 1)
                    fix(node, 1 - i, -back, size);
        }
    }

    const Graph& graph_;
    std::map<std::string, std::int64_t> found_;
};

}  // namespace

std::map<std::string, std::int64_t> weight_sizes(const Model& model) {
    return Sizes(model.graph).take();
}

}  // namespace lapidary
