// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/half_weights.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
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

class Rounding {
public:
    Rounding(Model& model, DType half) : graph_(model.graph), edit_(model.graph), half_(half) {}

    std::size_t run(const CancelToken& cancel) {
        std::size_t rounded = 0;
        const std::vector<NodeId> nodes(graph_.nodes().begin(), graph_.nodes().end());
        for (const NodeId id : nodes) {
            cancel.throw_if_cancelled();
            if (!has_large_weight(graph_, graph_.node(id))) continue;
            const ValueId weight = graph_.node(id).inputs[1];
            if (!may_be_rounded(graph_.value(weight))) continue;
            edit_.set_input(id, 1, rounded_of(weight));
            ++rounded;
        }
        for (const auto& [wide, halves] : rounded_)
            if (graph_.value(wide).is_unused()) edit_.erase_value(wide);
        edit_.finish();
        return rounded;
    }

private:
    bool may_be_rounded(const Value& value) {
        return rounded_.contains(value.id) || half_ != DType::f16 ||
               half_constant_problem(value).empty();
    }
    ValueId rounded_of(ValueId weight) {
        if (const auto known = rounded_.find(weight); known != rounded_.end()) return known->second;
        const Value& value = graph_.value(weight);
        const Tensor rounded = widened_constant(narrowed_constant(*value.constant, half_));
        const std::string name = edit_.fresh_name(value.name + "_rounded");
        return rounded_[weight] = edit_.add_initializer(name, rounded);
    }

    const Graph& graph_;
    GraphEdit edit_;
    const DType half_;
    std::map<ValueId, ValueId> rounded_;
};

}  // namespace

bool has_large_weight(const Graph& graph, const Node& node) {
    return std::ranges::find(products, std::string_view(node.qualified_op())) != products.end() &&
           node.inputs.size() > 1 && node.inputs[1] && is_large_weight(graph.value(node.inputs[1]));
}

std::size_t round_weights_to_halves(Model& model, DType half, const CancelToken& cancel) {
    return Rounding(model, half).run(cancel);
}

}  // namespace lapidary
