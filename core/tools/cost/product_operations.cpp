// SPDX-License-Identifier: Apache-2.0
#include <lapidary/base/error.h>

#include "cost/operator_work.h"
#include "kernels/reference/neural/einsum_equation.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

double output_elements(const NodeSizes& sizes) {
    return sizes.output(0) ? sizes.output(0)->elements() : 0;
}

std::optional<double> matrix_product(const Node& node, const NodeSizes& sizes) {
    const TensorSize* a = sizes.input(0);
    if (!a || a->shape.empty()) return std::nullopt;
    const double inner = node.int_attribute("transA", 0) != 0 ? a->dim(-2) : a->dim(-1);
    return 2 * inner * output_elements(sizes);
}

/// Every output element is the sum over one filter.
std::optional<double> convolution(const Node& node, const NodeSizes& sizes) {
    const TensorSize* weight = sizes.input(node.op_type.starts_with("QLinear") ? 3 : 1);
    if (!weight) return std::nullopt;
    // [group, kernel..., C/group, M/group]
    const bool is_last = node.op_type == "ChannelsLastConv";
    const double filters = is_last ? weight->dim(0) * weight->dim(-1) : weight->dim(0);
    if (filters == 0) return std::nullopt;
    return 2 * weight->elements() / filters * output_elements(sizes);
}

/// Every input element is spread over the filters of its channel.
std::optional<double> transposed_convolution(const NodeSizes& sizes) {
    const TensorSize *x = sizes.input(0), *weight = sizes.input(1);
    if (!x || !weight || weight->dim(0) == 0) return std::nullopt;
    return 2 * x->elements() * weight->elements() / weight->dim(0);
}

/// X [S,B,I] (or [B,S,I]) by W [D,G*H,I] and, S times, [B,H] by R [D,G*H,H].
std::optional<double> recurrent(const NodeSizes& sizes) {
    const TensorSize *x = sizes.input(0), *w = sizes.input(1), *r = sizes.input(2);
    if (!x || !w || !r) return std::nullopt;
    return 2 * (w->elements() + r->elements()) * x->dim(0) * x->dim(1);
}

/// Number of keys for each query: new and past ones.
double keys_met(const TensorSize* keys, double otherwise, const TensorSize* past) {
    double count = otherwise;
    // heads apart, or [batch, keys, width] and packed forms
    if (keys) count = keys->shape.size() == 4 ? keys->dim(2) : keys->dim(1);
    return count + (past && past->shape.size() >= 4 ? past->dim(-2) : 0);
}

/// Scores and weighted sums; the softmax between is negligible.
std::optional<double> attention(const Node& node, const NodeSizes& sizes) {
    const TensorSize *q = sizes.input(0), *out = sizes.output(0);
    if (!q || !out) return std::nullopt;
    const std::string& op = node.op_type;
    if (op == "DotProductAttention") {
        const TensorSize* k = sizes.input(1);
        if (!k) return std::nullopt;
        const std::int64_t form = node.int_attribute("k_form", 0);
        const double keys = form == 2                           ? k->dim(-1)
                            : form == 1 && k->shape.size() == 4 ? k->dim(1)
                                                                : k->dim(-2);
        return 2 * keys * (q->elements() + out->elements());
    }
    if (op == "Attention" && node.domain.empty())
        return 2 * keys_met(sizes.input(1), 0, sizes.input(4)) * (q->elements() + out->elements());
    if (op == "MultiHeadAttention")
        return 4 * keys_met(sizes.input(1), q->dim(1), sizes.input(6)) * out->elements();
    if (op == "GroupQueryAttention")
        return 4 *
               (sizes.output(1) ? sizes.output(1)->dim(-2)
                                : keys_met(sizes.input(1), q->dim(1), sizes.input(3))) *
               out->elements();
    // Attention and QAttention of com.microsoft project Q, K and V themselves.
    const TensorSize* weight = sizes.input(1);
    if (!weight) return std::nullopt;
    const double keys = q->dim(1) + (sizes.input(op == "QAttention" ? 8 : 4)
                                         ? sizes.input(op == "QAttention" ? 8 : 4)->dim(-2)
                                         : 0);
    return 2 * q->dim(0) * q->dim(1) * weight->elements() + 4 * keys * out->elements();
}

std::optional<double> einsum(const Node& node, const NodeSizes& sizes) {
    std::vector<Shape> shapes;
    for (const auto& input : sizes.inputs) {
        if (!input) return std::nullopt;
        shapes.emplace_back(input->shape.begin(), input->shape.end());
    }
    try {
        double count = shapes.size() > 1 ? 2 : 1;
        for (const auto& [label, size] :
             reference::read_equation(node.string_attribute("equation", ""), shapes).sizes)
            count *= static_cast<double>(size);
        return count;
    } catch (const Error&) { return std::nullopt; }
}

std::optional<double> count_of(CostFormula formula, const Node& node, const NodeSizes& sizes) {
    switch (formula) {
    case CostFormula::matrix_product: return matrix_product(node, sizes);
    case CostFormula::block_product:
        return 2.0 * static_cast<double>(node.int_attribute("K", 0)) * output_elements(sizes);
    case CostFormula::convolution: return convolution(node, sizes);
    case CostFormula::transposed_convolution: return transposed_convolution(sizes);
    case CostFormula::recurrent: return recurrent(sizes);
    case CostFormula::attention: return attention(node, sizes);
    case CostFormula::einsum: return einsum(node, sizes);
    default: return std::nullopt;  // no product
    }
}

}  // namespace

std::optional<Operations> product_operations(const Node& node, const NodeSizes& sizes) {
    const Cost& cost = traits_of(node).cost;
    const auto count = count_of(cost.formula, node, sizes);
    if (!count) return std::nullopt;
    return Operations{*count, cost.integer};
}

}  // namespace lapidary
