// SPDX-License-Identifier: Apache-2.0
//   before:  q = x * Wq + bq,  k = x * Wk + bk,  v = x * Wv + bv   MatMul (and Add) or Gemm,
//            constant weights
//   after:   q, k, v = Split(x * [Wq Wk Wv] + [bq bk bv])
// For what no attention operator took. Each column is summed as before. Applied where fewer nodes
// come out.
#include <algorithm>
#include <map>

#include "rewrite/constant_math.h"
#include "passes/extended/attention/head_branch.h"
#include "passes/extended/attention/joined_constants.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

struct Part {
    NodeId product, add;  // add: none, or the Add of a constant row after a MatMul
    const Tensor* weight;
    std::vector<double> bias;  // empty: none
    std::int64_t width = 0;
};

/// Products that may be merged have equal keys.
struct Kind {
    bool gemm = false, transposed = false;
    float alpha = 1;
    auto operator<=>(const Kind&) const = default;
};

std::optional<Part> part_at(const Scope& scope, const Node& node, Kind& kind) {
    Part part{.product = node.id, .add = {}, .weight = nullptr, .bias = {}};
    kind.gemm = node.op_type == "Gemm";
    part.weight = scope.constant(node.inputs.at(1));
    const DType dtype = scope.dtype(node.outputs[0]);
    if (!part.weight || part.weight->rank() != 2 ||
        (dtype != DType::f32 && dtype != DType::f64 && dtype != DType::f16) ||
        part.weight->dtype() != dtype)
        return std::nullopt;
    if (kind.gemm) {
        if (node.int_attribute("transA", 0) != 0) return std::nullopt;
        kind.transposed = node.int_attribute("transB", 0) != 0;
        kind.alpha = node.float_attribute("alpha", 1.0f);
    }
    part.width = part.weight->dim(kind.transposed ? 0 : 1);
    if (part.width < 1 || scope.rank(node.outputs[0]) < 2) return std::nullopt;
    if (kind.gemm) {
        if (node.inputs.size() > 2 && node.inputs[2]) {
            part.bias = attention::constant_row(scope, node.inputs[2], part.width);
            if (part.bias.empty()) return std::nullopt;
            for (double& b : part.bias) b *= node.float_attribute("beta", 1.0f);
        }
        return part;
    }
    const Value& result = scope.value(node.outputs[0]);
    if (!result.read_once()) return part;
    const Node& reader = scope.node(result.uses[0].node);
    if (reader.op_type != "Add" || !reader.domain.empty()) return part;
    const ValueId other = reader.inputs[1 - result.uses[0].input];
    if (scope.rank(other) > scope.rank(node.outputs[0])) return part;
    part.bias = attention::constant_row(scope, other, part.width);
    if (!part.bias.empty()) part.add = reader.id;
    return part;
}

void merge(PassContext& context, ValueId x, const Kind& kind, const std::vector<Part>& parts) {
    const Scope& scope = context.scope();
    std::vector<const Tensor*> weights;
    std::vector<double> bias;
    std::vector<std::int64_t> widths;
    bool any_bias = false;
    for (const Part& p : parts) {
        weights.push_back(p.weight);
        widths.push_back(p.width);
        any_bias = any_bias || !p.bias.empty();
        std::vector<double> row = p.bias;
        row.resize(static_cast<std::size_t>(p.width), 0.0);
        bias.insert(bias.end(), row.begin(), row.end());
    }
    const DType dtype = weights[0]->dtype();
    const Node& first = scope.node(parts[0].product);
    const std::int64_t axis = scope.rank(first.outputs[0]) - 1;
    std::vector<ValueId> inputs{
        x, context.constant(scope.value(first.inputs[1]).name + "_merged",
                            *attention::joined(weights, kind.transposed ? 0 : 1))};
    const ValueId row =
        any_bias ? context.constant(
                       "bias_merged",
                       tensor_of_doubles(dtype, {static_cast<std::int64_t>(bias.size())}, bias))
                 : ValueId();
    ValueId all;
    if (kind.gemm) {
        if (row) inputs.push_back(row);
        all = context.node("Gemm", std::move(inputs),
                           {attr("alpha", kind.alpha), attr("transB", kind.transposed ? 1 : 0)});
    } else {
        all = context.node("MatMul", std::move(inputs));
        if (row) all = context.node("Add", {all, row});
    }
    NodeSpec split;
    split.op_type = "Split";
    split.version = context.opset();
    split.attributes = {attr("axis", axis)};
    split.inputs = {all};
    if (context.opset() < 13) split.attributes.push_back(attr("split", widths));
    else split.inputs.push_back(context.constant_ints("widths", widths));
    GraphEdit& edit = context.edit();
    std::vector<NodeId> rest;
    for (const Part& p : parts) {
        const NodeId last = p.add ? p.add : p.product;
        split.outputs.push_back(edit.take_outputs(last).at(0));
        rest.push_back(p.product);
        if (p.add) edit.erase(last);
    }
    edit.add_node(std::move(split));
    context.erase_unused(rest);
}

}  // namespace

PassBody merge_projections() {
    return {.run = [](PassContext& context) {
        const Scope& scope = context.scope();
        std::map<std::pair<ValueId, Kind>, std::vector<Part>> groups;
        for (NodeId id : context.nodes()) {
            const Node& node = scope.node(id);
            Kind kind;
            if (!node.domain.empty() || (node.op_type != "MatMul" && node.op_type != "Gemm") ||
                node.inputs.size() < 2 || scope.constant(node.inputs[0]))
                continue;
            if (auto part = part_at(scope, node, kind))
                groups[{node.inputs[0], kind}].push_back(std::move(*part));
        }
        for (auto& [key, parts] : groups) {
            const auto& [x, kind] = key;
            if (parts.size() < 2) continue;
            const auto adds = static_cast<std::size_t>(
                std::ranges::count_if(parts, [](const Part& p) { return bool(p.add); }));
            const bool biased =
                std::ranges::any_of(parts, [](const Part& p) { return !p.bias.empty(); });
            const std::size_t after = 2 + (biased && !kind.gemm ? 1 : 0);
            if (parts.size() + adds <= after) {
                context.miss(parts[0].product, std::to_string(parts.size()) + " products of " +
                                                   quote(scope.value(x).name) +
                                                   " and the Split of a joined one are " +
                                                   "no fewer nodes");
                continue;
            }
            std::vector<const Tensor*> weights;
            for (const Part& p : parts) weights.push_back(p.weight);
            const std::size_t axis = kind.transposed ? 0 : 1;
            const bool fit = std::ranges::all_of(weights, [&](const Tensor* t) {
                return t->dtype() == weights[0]->dtype() &&
                       t->dim(1 - axis) == weights[0]->dim(1 - axis);
            });
            if (!fit) {
                context.miss(parts[0].product, "products of " + quote(scope.value(x).name) +
                                                   " have weights of other types or depths");
                continue;
            }
            if (!context.may_rewrite()) return;
            merge(context, x, kind, parts);
            context.record(std::to_string(parts.size()) + " products of \"" + scope.value(x).name +
                           "\" became one that is split");
        }
    }};
}

}  // namespace lapidary::passes
