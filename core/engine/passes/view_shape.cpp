// SPDX-License-Identifier: Apache-2.0
#include "passes/view_shape.h"

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

/// Positions of ones that turn `few` into `many` when inserted; nothing when that is not the
/// difference.
std::optional<Ints> inserted_ones(const SymbolicShape& few, const SymbolicShape& many) {
    Ints axes;
    std::size_t next = 0;
    for (std::size_t i = 0; i < many.size(); ++i) {
        if (next < few.size() && surely_equal(few[next], many[i])) ++next;
        else if (many[i].value() == 1) axes.push_back(static_cast<std::int64_t>(i));
        else return std::nullopt;
    }
    if (next != few.size()) return std::nullopt;
    return axes;
}

bool surely_positive(const Dim& d) {
    return d.is_known() ? d.value() > 0 : surely_not_negative(subtract(d, Dim(1)));
}

/// The position at which the root's own target says -1, or -1.
std::int64_t own_inferred(const PassContext& context, const Node& root) {
    if (root.op_type != "Reshape" || root.inputs.size() < 2) return -1;
    const auto target = context.elements(root.inputs[1]);
    if (!target) return -1;
    for (std::size_t i = 0; i < target->size(); ++i)
        if (constant_of((*target)[i]) == -1) return static_cast<std::int64_t>(i);
    return -1;
}

ViewPlan refuse(std::string problem) { return {ViewPlan::Kind::none, {}, std::move(problem)}; }

ViewPlan plan_reshape(const SymbolicShape& from, const SymbolicShape& to, std::int64_t own) {
    Ints target;
    std::int64_t inferred = -1;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].is_known() && to[i].value() > 0) {
            target.push_back(to[i].value());
        } else if (i < from.size() && surely_equal(from[i], to[i])) {
            target.push_back(0);
        } else if (to[i].value() == 0) {
            return refuse("dimension " + std::to_string(i) + " of the result is zero");
        } else if (inferred >= 0) {
            return refuse("dimensions " + std::to_string(inferred) + " and " + std::to_string(i) +
                          " (" + to_string(at(to, inferred)) + " and " + to_string(to[i]) +
                          ") are computed, a constant shape can leave one open");
        } else {
            inferred = static_cast<std::int64_t>(i);
            target.push_back(-1);
        }
    }
    if (inferred >= 0 && inferred != own)
        for (std::size_t i = 0; i < to.size(); ++i)
            if (static_cast<std::int64_t>(i) != inferred && !surely_positive(to[i]))
                return refuse("dimension " + std::to_string(inferred) + " (" +
                              to_string(at(to, inferred)) +
                              ") would become -1, which nothing fits when dimension " +
                              std::to_string(i) + " (" + to_string(to[i]) + ") is 0");
    return {ViewPlan::Kind::reshape, std::move(target), {}};
}

}  // namespace

bool moves_only_ones(const Scope& scope, const Node& transpose) {
    if (transpose.op_type != "Transpose" || !transpose.domain.empty()) return false;
    const auto perm = permutation_of(scope, transpose);
    const Type& type = scope.type(transpose.inputs.at(0));
    if (!perm || !type.shape || type.shape->size() != perm->size()) return false;
    std::int64_t last = -1;
    for (std::int64_t p : *perm) {
        if (at(*type.shape, p).value() == 1) continue;
        if (p < last) return false;
        last = p;
    }
    return true;
}

bool is_view(const Scope& scope, const Node& node) {
    if (!node.domain.empty() || node.inputs.empty() || !node.inputs[0] || node.outputs.size() != 1)
        return false;
    return node.op_type == "Reshape" || node.op_type == "Flatten" || node.op_type == "Squeeze" ||
           node.op_type == "Unsqueeze" || moves_only_ones(scope, node);
}

bool same_view(const Type& a, const Type& b) {
    if (!a.shape || !b.shape || a.shape->size() != b.shape->size()) return false;
    int open = 0;
    bool all_positive = true;
    for (std::size_t i = 0; i < a.shape->size(); ++i) {
        const Dim &p = (*a.shape)[i], &q = (*b.shape)[i];
        if (!surely_equal(p, q)) ++open;
        else if (!surely_positive(p)) all_positive = false;
    }
    return open == 0 || (open == 1 && all_positive);
}

ViewPlan plan_view(const PassContext& context, ValueId source, const Node& root) {
    const Type &from = context.scope().type(source), &to = context.scope().type(root.outputs.at(0));
    if (!from.shape || !to.shape)
        return refuse("the rank of " + std::string(from.shape ? "the result" : "the input") +
                      " is not known");
    if (same_view(from, to)) return {ViewPlan::Kind::nothing, {}, {}};
    if (from.shape->size() < to.shape->size())
        if (auto axes = inserted_ones(*from.shape, *to.shape))
            return {ViewPlan::Kind::unsqueeze, std::move(*axes), {}};
    if (from.shape->size() > to.shape->size())
        if (auto axes = inserted_ones(*to.shape, *from.shape))
            return {ViewPlan::Kind::squeeze, std::move(*axes), {}};
    ViewPlan plan = plan_reshape(*from.shape, *to.shape, own_inferred(context, root));
    if (plan.kind != ViewPlan::Kind::none || to.shape->size() != 2) return plan;
    for (std::size_t axis = 0; axis <= from.shape->size(); ++axis) {
        const std::span<const Dim> dims(*from.shape);
        if (surely_equal(product(dims.first(axis)), (*to.shape)[0]) &&
            surely_equal(product(dims.subspan(axis)), (*to.shape)[1]))
            return {ViewPlan::Kind::flatten, {static_cast<std::int64_t>(axis)}, {}};
    }
    return plan;
}

Call view_call(PassContext& context, ValueId source, const ViewPlan& plan) {
    switch (plan.kind) {
    case ViewPlan::Kind::reshape: return reshape_call(context, source, plan.values);
    case ViewPlan::Kind::squeeze: return axes_call(context, "Squeeze", source, plan.values);
    case ViewPlan::Kind::unsqueeze: return axes_call(context, "Unsqueeze", source, plan.values);
    case ViewPlan::Kind::flatten: return {"Flatten", {source}, {attr("axis", plan.values.at(0))}};
    default: return {"Identity", {source}, {}};
    }
}

}  // namespace lapidary
