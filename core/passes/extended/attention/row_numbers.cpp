// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/row_numbers.h"

#include <algorithm>

#include "ops/dim_algebra.h"

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

/// All dimensions but one are 1, and that one is as long as what it was made of: any shape change keeps the count. (How
/// many NonZero finds has a name of its own in types; where a count begins, its length is compared.)
bool is_line(const Scope& scope, ValueId value, const Dim& rows) {
    const auto& shape = scope.type(value).shape;
    if (!shape) return false;
    const auto others = std::ranges::count_if(*shape, [](const Dim& d) { return d.value() != 1; });
    if (rows.value() == 1) return others == 0;
    return others == 1 &&
           std::ranges::any_of(*shape, [&](const Dim& d) { return d.value() != 1 && !surely_different(d, rows); });
}

/// A Slice that starts at 0 on the last axis with step 1.
bool keeps_front(PassContext& context, const Node& node) {
    const auto list = [&](std::size_t input, const char* attribute) -> std::optional<std::vector<Dim>> {
        if (node.version < 10) {
            std::vector<Dim> out;
            for (std::int64_t n : node.ints_attribute(attribute)) out.push_back(dim_of(n));
            return out;
        }
        if (input >= node.inputs.size() || !node.inputs[input]) return std::vector<Dim>();
        return context.elements(node.inputs[input]);
    };
    const auto starts = list(1, "starts"), axes = list(3, "axes"), steps = list(4, "steps");
    if (!starts || !axes || !steps) return false;
    const int rank = context.scope().rank(node.inputs[0]);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        auto axis =
            i < axes->size() ? constant_of((*axes)[i]) : std::optional<std::int64_t>(static_cast<std::int64_t>(i));
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
        const auto values =
            t->size() <= (1 << 20) && t->dtype() != DType::string ? to_doubles(*t) : std::vector<double>{0};
        return std::ranges::none_of(values, [](double v) { return v == 0; });
    }
    if (!node || node->op_type != "ConstantOfShape" || !node->domain.empty()) return false;
    const auto fill = scalar_of(node->tensor_attribute("value"));
    return fill && *fill != 0;
}

bool counts(PassContext& context, ValueId value, const Dim& rows, int depth) {
    const Scope& scope = context.scope();
    const auto& shape = scope.type(value).shape;
    if (depth == 0 || !shape || shape->empty()) return false;
    if (const Tensor* t = scope.constant(value))
        return constant_counts(*t) && (is_line(scope, value, rows) || surely_equal(shape->back(), rows));
    const Node* node = scope.producer(value);
    if (!node || !node->domain.empty() || node->inputs.empty()) return false;
    const std::string& op = node->op_type;
    const auto above = [&] { return counts(context, node->inputs[0], rows, depth - 1); };
    if (op == "Range")
        return surely_equal(shape->back(), rows) && scalar_of(scope.constant(node->inputs[0])) == 0.0 &&
               scalar_of(scope.constant(node->inputs[2])) == 1.0;
    if (op == "NonZero") {
        const auto& filled = scope.type(node->inputs[0]).shape;
        return filled && filled->size() == 1 && surely_equal(filled->front(), rows) &&
               is_nonzero_fill(scope, node->inputs[0]);
    }
    if (op == "Cast") return is_integer(scope.dtype(node->inputs[0])) && above();
    if (op == "Identity") return above();
    if (op == "Unsqueeze" || op == "Squeeze" || op == "Reshape" || op == "Transpose")
        return is_line(scope, value, rows) && is_line(scope, node->inputs[0], rows) && above();
    if (op == "Expand" || op == "Tile") {
        const auto target = op == "Expand" ? context.elements(node->inputs[1]) : std::nullopt;
        const bool as_long =
            surely_equal(shape->back(), rows) || (target && !target->empty() && surely_equal(target->back(), rows));
        return as_long && above();
    }
    // The front of a longer count.
    if (op == "Slice" && surely_equal(shape->back(), rows) && keeps_front(context, *node)) {
        const auto& before = scope.type(node->inputs[0]).shape;
        return before && !before->empty() && counts(context, node->inputs[0], before->back(), depth - 1);
    }
    return false;
}

}  // namespace

bool counts_rows(PassContext& context, ValueId value, const Dim& rows) {
    const auto& shape = context.scope().type(value).shape;
    if (!shape || shape->empty()) return false;
    const Dim& last = shape->back();
    // A table of positions cut to the length: min(512, seq) is seq wherever the model runs.
    if (is_capped(last, rows)) return counts(context, value, last, 16);
    // Beside several rows a 1 in the end holds none of them: they lie along another axis, which is not that of the
    // rows.
    if (last.value() == 1 && rows.value() != 1) return false;
    return !surely_different(last, rows) && counts(context, value, rows, 16);
}

}  // namespace lapidary::attention
