// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/row_numbers.h"

#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/slice_list.h"

namespace lapidary::attention {
namespace {

/// Of integers, of a rank of at least 1.
bool constant_counts(const Tensor& t) {
    if (t.size() > (1 << 22)) return false;
    const std::int64_t rows = t.shape().back();
    const auto values = to_int64s(t);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != static_cast<std::int64_t>(i) % rows) return false;
    return true;
}

/// All dimensions but one are 1, and that one is as long as what it was made of: any shape change
/// keeps the count. (How many NonZero finds has a name of its own in types; where a count begins,
/// its length is compared.)
bool is_line(const Scope& scope, ValueId value, const Dim& rows) {
    const auto& shape = scope.type(value).shape;
    if (!shape) return false;
    const auto others = std::ranges::count_if(*shape, [](const Dim& d) { return d.value() != 1; });
    if (rows.value() == 1) return others == 0;
    return others == 1 && std::ranges::any_of(*shape, [&](const Dim& d) {
               return d.value() != 1 && !surely_different(d, rows);
           });
}

/// A Slice that starts at 0 on the last axis with step 1.
bool keeps_front(PassContext& context, const Node& node) {
    const auto starts = slice_list(context, node, 1, "starts"),
               axes = slice_list(context, node, 3, "axes"),
               steps = slice_list(context, node, 4, "steps");
    if (!starts || !axes || !steps) return false;
    const int rank = context.scope().rank(node.inputs[0]);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        auto axis = i < axes->size() ? constant_of((*axes)[i])
                                     : std::optional<std::int64_t>(static_cast<std::int64_t>(i));
        if (!axis || (i < steps->size() && constant_of((*steps)[i]) != 1)) return false;
        if (*axis < 0) *axis += rank;
        if (*axis == rank - 1 && constant_of((*starts)[i]) != 0) return false;
    }
    return true;
}

/// ConstantOfShape with any value but 0.
bool is_nonzero_fill(const Scope& scope, ValueId value) {
    const Node* node = scope.producer(value);
    if (const Tensor* t = scope.constant(value)) {
        const auto values = t->size() <= (1 << 20) && t->dtype() != DType::string
                                ? to_doubles(*t)
                                : std::vector<double>{0};
        return std::ranges::none_of(values, [](double v) { return v == 0; });
    }
    if (!node || node->op_type != "ConstantOfShape" || !node->domain.empty()) return false;
    const auto fill = scalar_of(node->tensor_attribute("value"));
    return fill && *fill != 0;
}

/// Range(0, rows, 1), the rows being the length of `shape`.
bool is_range_of_rows(const Scope& scope, const Node& range, const SymbolicShape& shape,
                      const Dim& rows) {
    return surely_equal(shape.back(), rows) && scalar_of(scope.constant(range.inputs[0])) == 0.0 &&
           scalar_of(scope.constant(range.inputs[2])) == 1.0;
}

/// NonZero of a line of so many numbers, none of which is 0.
bool finds_all_rows(const Scope& scope, ValueId filled, const Dim& rows) {
    const auto& shape = scope.type(filled).shape;
    return shape && shape->size() == 1 && surely_equal(shape->front(), rows) &&
           is_nonzero_fill(scope, filled);
}

/// Expand or Tile whose last axis is as long as the rows.
bool repeats_rows(PassContext& context, const Node& node, const SymbolicShape& shape,
                  const Dim& rows) {
    if (surely_equal(shape.back(), rows)) return true;
    const auto target = node.op_type == "Expand" ? context.elements(node.inputs[1]) : std::nullopt;
    return target && !target->empty() && surely_equal(target->back(), rows);
}

bool is_shape_change(std::string_view op) {
    return op == "Unsqueeze" || op == "Squeeze" || op == "Reshape" || op == "Transpose";
}

bool counts(PassContext& context, ValueId value, const Dim& rows, int depth);

/// True if the output of `node` counts rows whenever its first input does.
bool keeps_count(PassContext& context, const Node& node, ValueId value, const Dim& rows,
                 int depth) {
    const Scope& scope = context.scope();
    const SymbolicShape& shape = *scope.type(value).shape;
    const ValueId source = node.inputs[0];
    const auto above = [&] { return counts(context, source, rows, depth - 1); };
    const std::string& op = node.op_type;
    if (op == "Cast") return is_integer(scope.dtype(source)) && above();
    if (op == "Identity") return above();
    if (is_shape_change(op))
        return is_line(scope, value, rows) && is_line(scope, source, rows) && above();
    if (op == "Expand" || op == "Tile") return repeats_rows(context, node, shape, rows) && above();
    // The beginning of a longer count.
    if (op != "Slice" || !surely_equal(shape.back(), rows) || !keeps_front(context, node))
        return false;
    const auto& before = scope.type(source).shape;
    return before && !before->empty() && counts(context, source, before->back(), depth - 1);
}

bool counts(PassContext& context, ValueId value, const Dim& rows, int depth) {
    const Scope& scope = context.scope();
    const auto& shape = scope.type(value).shape;
    if (depth == 0 || !shape || shape->empty()) return false;
    if (const Tensor* t = scope.constant(value))
        return constant_counts(*t) &&
               (is_line(scope, value, rows) || surely_equal(shape->back(), rows));
    const Node* node = scope.producer(value);
    if (!node || !node->domain.empty() || node->inputs.empty()) return false;
    if (node->op_type == "Range") return is_range_of_rows(scope, *node, *shape, rows);
    if (node->op_type == "NonZero") return finds_all_rows(scope, node->inputs[0], rows);
    return keeps_count(context, *node, value, rows, depth);
}

}  // namespace

bool counts_rows(PassContext& context, ValueId value, const Dim& rows) {
    const auto& shape = context.scope().type(value).shape;
    if (!shape || shape->empty()) return false;
    const Dim& last = shape->back();
    // A table of positions cut to the length: min(512, seq) is seq wherever the model runs.
    if (is_capped(last, rows)) return counts(context, value, last, 16);
    // Beside several rows a 1 in the end holds none of them: they lie along another axis, which is
    // not that of the rows.
    if (last.value() == 1 && rows.value() != 1) return false;
    return !surely_different(last, rows) && counts(context, value, rows, 16);
}

}  // namespace lapidary::attention
