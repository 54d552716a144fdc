// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "passes/extended/attention/score_mask.h"
#include "passes/extended/attention/slice_list.h"

namespace lapidary::attention {
namespace {

/// The matrix in the last two dimensions (all others 1) has non-zeros exactly in column <= row +
/// diagonal.
bool is_lower_triangle(const Tensor& t, std::int64_t diagonal) {
    const auto rank = static_cast<std::size_t>(t.rank());
    if (rank < 2 || t.dim(rank - 1) == 0 || t.dim(rank - 2) * t.dim(rank - 1) != t.size() ||
        t.dtype() == DType::string)
        return false;
    const std::int64_t rows = t.dim(rank - 2), columns = t.dim(rank - 1);
    const auto whole = [&](auto values) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                if ((at(values, r * columns + c) != 0) != (c <= r + diagonal)) return false;
        return true;
    };
    switch (t.dtype()) {
    case DType::boolean: return whole(t.data<bool>());
    case DType::u8: return whole(t.data<std::uint8_t>());
    case DType::f32: return whole(t.data<float>());
    default: return t.size() <= (1 << 22) && whole(std::span<const double>(to_doubles(t)));
    }
}

/// Start of a window [start, start + length) along `axis`, by one Slice.
struct Window {
    ValueId input;
    std::int64_t axis = 0;
    Dim start, end;
};

std::optional<Window> window_of(PassContext& context, const Node& node) {
    if (node.op_type != "Slice" || !node.domain.empty()) return std::nullopt;
    const auto starts = slice_list(context, node, 1, "starts"),
               ends = slice_list(context, node, 2, "ends"),
               axes = slice_list(context, node, 3, "axes"),
               steps = slice_list(context, node, 4, "steps");
    if (!starts || !ends || !axes || !steps || starts->size() != 1 || ends->size() != 1 ||
        axes->size() > 1)
        return std::nullopt;
    if (!steps->empty() && constant_of(steps->front()) != 1) return std::nullopt;
    Window w;
    w.input = node.inputs[0];
    if (!axes->empty()) {
        const auto axis = constant_of(axes->front());
        if (!axis) return std::nullopt;
        w.axis = *axis;
    }
    if (w.axis < 0) w.axis += context.scope().rank(w.input);
    w.start = starts->front();
    w.end = ends->front();
    return w;
}

/// Rows first_row .. of the constant stand for queries behind the `cached` ones; column t of it for
/// key t.
bool is_causal_from(const Tensor& t, const Dim& first_row, const Dim& cached) {
    if (surely_equal(first_row, cached)) return is_lower_triangle(t, 0);
    const auto diagonal = constant_of(subtract(cached, first_row));
    return diagonal && is_lower_triangle(t, *diagonal);
}

/// Axes that are computed may lie between rows and columns.
bool keeps_rows_and_columns(const Scope& scope, const Node& node) {
    if (node.op_type == "Cast" || node.op_type == "Identity") return true;
    return node.op_type == "Unsqueeze" &&
           (node.inputs.size() < 2 || scope.constant(node.inputs[1]));
}

}  // namespace

bool is_causal(PassContext& context, ValueId value, const ScoreSizes& sizes) {
    const Scope& scope = context.scope();
    const Dim cached = subtract(sizes.keys, sizes.queries);
    Dim first_row = dim_of(0);
    const auto repeats = [&](int axis, const Dim& size) {
        return scope.dim(value, axis) == 1 && size.value() != 1;
    };
    if (repeats(-1, sizes.keys) || repeats(-2, sizes.queries)) return false;
    for (int steps = 0; steps < 16; ++steps) {
        const int rank = scope.rank(value);
        if (const Tensor* t = scope.constant(value)) return is_causal_from(*t, first_row, cached);
        const Node* node = scope.producer(value);
        if (!node || !node->domain.empty() || node->inputs.empty()) return false;
        if (keeps_rows_and_columns(scope, *node)) {
            value = node->inputs[0];
            continue;
        }
        const auto window = window_of(context, *node);
        if (!window) return false;
        if (window->axis == rank - 2) first_row = add(first_row, window->start);
        else if (window->axis != rank - 1 || constant_of(window->start) != 0) return false;
        if (constant_of(window->start).value_or(0) < 0) return false;
        value = window->input;
    }
    return false;
}

}  // namespace lapidary::attention
