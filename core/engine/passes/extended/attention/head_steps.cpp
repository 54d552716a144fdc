// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/head_branch.h"
#include "passes/extended/attention/slice_list.h"

namespace lapidary::attention {
namespace {

/// A list of a Slice; nothing when it is computed.
std::optional<std::vector<std::int64_t>> slice_numbers(PassContext& context, const Node& node,
                                                       std::size_t input, const char* name) {
    std::vector<std::int64_t> out;
    const auto dims = slice_list(context, node, input, name);
    if (!dims) return std::nullopt;
    for (const Dim& d : *dims) {
        const auto n = constant_of(d);
        if (!n) return std::nullopt;
        out.push_back(*n);
    }
    return out;
}

/// Start of a Slice along one axis, when it is a constant with step 1.
bool undo_slice(PassContext& context, const Node& node, const SymbolicShape& whole,
                HeadLayout& layout) {
    const auto starts = slice_numbers(context, node, 1, "starts"),
               axes = slice_numbers(context, node, 3, "axes"),
               steps = slice_numbers(context, node, 4, "steps");
    if (!starts || !axes || !steps || starts->size() != 1 || axes->size() > 1 ||
        (!steps->empty() && steps->front() != 1))
        return false;
    std::int64_t axis = axes->empty() ? 0 : axes->front(), start = starts->front();
    const auto rank = static_cast<std::int64_t>(whole.size());
    if (axis < 0) axis += rank;
    const Dim& dim = at(whole, axis);
    if (start < 0) start = std::max<std::int64_t>(0, start + dim.value());
    return layout.undo_window(axis, start, dim);
}

bool undo_split(const Scope& scope, const Node& node, ValueId part, const SymbolicShape& whole,
                HeadLayout& layout) {
    std::int64_t axis = node.int_attribute("axis", 0), offset = 0;
    if (axis < 0) axis += static_cast<std::int64_t>(whole.size());
    for (ValueId output : node.outputs) {
        if (output == part) break;
        const std::int64_t size = scope.dim(output, static_cast<int>(axis));
        if (size < 0) return false;
        offset += size;
    }
    return layout.undo_window(axis, offset, at(whole, axis));
}

bool undo_gather(const Scope& scope, const Node& node, const SymbolicShape& whole,
                 HeadLayout& layout) {
    const Tensor* index = scope.constant(node.inputs.at(1));
    if (!index || index->size() != 1 || index->rank() > 1) return false;
    std::int64_t axis = node.int_attribute("axis", 0);
    if (axis < 0) axis += static_cast<std::int64_t>(whole.size());
    const std::int64_t i = to_int64s(*index)[0];
    const Dim& dim = at(whole, axis);
    if (index->rank() == 1) return layout.undo_window(axis, i < 0 ? i + dim.value() : i, dim);
    return layout.undo_gather(axis, i, dim);
}

/// Skips a Mul or Div by a number and multiplies it into the scale.
Step undo_scale(const Scope& scope, const Node& node, ValueId& value, double& scale) {
    const bool divides = node.op_type == "Div";
    for (std::size_t i = divides ? 1 : 0; i < 2; ++i) {
        const auto factor = scalar_of(scope.constant(node.inputs[i]));
        if (!factor || *factor == 0 || scope.rank(node.inputs[i]) > scope.rank(node.inputs[1 - i]))
            continue;
        scale *= divides ? 1 / *factor : *factor;
        value = node.inputs[1 - i];
        return Step::moved;
    }
    return Step::stopped;
}

bool undo_transpose(const Node& node, HeadLayout& layout) {
    std::vector<std::int64_t> reversed(layout.axes().size());
    for (std::size_t i = 0; i < reversed.size(); ++i)
        reversed[i] = static_cast<std::int64_t>(reversed.size() - 1 - i);
    return layout.undo_transpose(node.ints_attribute("perm", reversed));
}

bool changes_shape(std::string_view op) {
    static constexpr std::string_view names[] = {"Reshape", "Squeeze", "Unsqueeze", "Flatten",
                                                 "Slice",   "Split",   "Gather"};
    return std::ranges::find(names, op) != std::ranges::end(names);
}

/// One that changes_shape(), back to the shape `whole` of its input.
bool undo_shape(PassContext& context, const Node& node, ValueId value, const SymbolicShape& whole,
                HeadLayout& layout) {
    const std::string& op = node.op_type;
    if (op == "Slice") return undo_slice(context, node, whole, layout);
    if (op == "Split") return undo_split(context.scope(), node, value, whole, layout);
    if (op == "Gather") return undo_gather(context.scope(), node, whole, layout);
    return layout.regroup(whole);
}

}  // namespace

Step step_up(PassContext& context, ValueId& value, HeadLayout& layout, double& scale) {
    const Scope& scope = context.scope();
    const Node* node = scope.producer(value);
    if (!node || !node->domain.empty() || node->inputs.empty() || !node->inputs[0])
        return Step::stopped;
    const std::string& op = node->op_type;
    if (op == "Mul" || op == "Div") return undo_scale(scope, *node, value, scale);
    bool fits = op == "Identity";
    if (op == "Transpose") {
        fits = undo_transpose(*node, layout);
    } else if (!fits) {
        if (!changes_shape(op)) return Step::stopped;
        const auto& whole = scope.type(node->inputs[0]).shape;
        fits = whole && undo_shape(context, *node, value, *whole, layout);
    }
    if (!fits) return Step::failed;
    value = node->inputs[0];
    return Step::moved;
}

std::vector<double> constant_row(const Scope& scope, ValueId value, std::int64_t size) {
    const Tensor* tensor = scope.constant(value);
    if (!tensor || size < 1) return {};
    const bool row =
        tensor->size() == size && tensor->rank() >= 1 && tensor->shape().back() == size;
    if (!row && tensor->size() != 1) return {};
    std::vector<double> values = to_doubles(*tensor);
    if (tensor->size() == 1) values.assign(static_cast<std::size_t>(size), values[0]);
    return values;
}

}  // namespace lapidary::attention
