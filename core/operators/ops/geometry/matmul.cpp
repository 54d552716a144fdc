// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/matmul.h"

#include <string>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

OperandView view_of(std::string_view op, std::string_view name, const Shape& shape,
                    OperandTurn turn, bool is_left) {
    if (shape.empty()) fail_input(std::string(op) + ": expected at least one axis, found a scalar");
    OperandView v;
    if (shape.size() == 1) {  // a row on the left, a column on the right; never transposed
        (is_left ? v.columns : v.rows) = shape[0];
        if (is_left) v.row_stride = shape[0];
        return v;
    }
    if (turn.batch && shape.size() < 3)
        fail_input(std::string(op) + ": transBatch" + std::string(name) +
                   " needs rank 3 or more, found " + std::string(name) + " " + to_string(shape));
    const Shape strides = strides_of(shape);
    const std::size_t last = shape.size() - 1, row = turn.batch ? 0 : last - 1;
    v.rows = shape[row], v.columns = shape[last];
    v.row_stride = strides[row];
    for (std::size_t i = turn.batch ? 1 : 0; i < (turn.batch ? last : last - 1); ++i) {
        v.batch.push_back(shape[i]);
        v.batch_strides.push_back(strides[i]);
    }
    if (turn.matrix) {
        std::swap(v.rows, v.columns);
        std::swap(v.row_stride, v.column_stride);
    }
    return v;
}

/// The batch strides as a broadcast reads them.
Shape broadcast_to(const OperandView& v, const Shape& target) {
    Shape out(target.size(), 0);
    const std::size_t lead = target.size() - v.batch.size();
    for (std::size_t i = 0; i < v.batch.size(); ++i)
        out[lead + i] = v.batch[i] == 1 ? 0 : v.batch_strides[i];
    return out;
}

}  // namespace

std::int64_t MatMulGeometry::offset(const OperandView& operand, std::int64_t index) const {
    std::int64_t result = 0;
    for (std::size_t axis = batch.size(); axis-- > 0;) {
        result += index % batch[axis] * operand.batch_strides[axis];
        index /= batch[axis];
    }
    return result;
}

MatMulGeometry matmul_geometry(std::string_view op, const Shape& a, OperandTurn turn_a,
                               const Shape& b, OperandTurn turn_b) {
    MatMulGeometry g;
    g.a = view_of(op, "A", a, turn_a, true);
    g.b = view_of(op, "B", b, turn_b, false);
    g.rows = g.a.rows, g.inner = g.a.columns, g.columns = g.b.columns;
    if (g.b.rows != g.inner)
        fail_input(std::string(op) + ": the inner dimensions of A " + to_string(a) + " and B " +
                   to_string(b) + " differ");
    g.batch = broadcast_shapes(g.a.batch, g.b.batch);
    g.output = g.batch;
    if (a.size() > 1) g.output.push_back(g.rows);
    if (b.size() > 1) g.output.push_back(g.columns);

    g.batches = element_count(g.batch);
    const bool one_right = element_count(g.b.batch) == 1;
    // rows of all matrices of A lie one after the other
    if (one_right && turn_a == OperandTurn{}) {
        g.rows *= g.batches;
        g.batches = 1;
        g.batch.clear();
        g.a.batch.clear();
        g.a.batch_strides.clear();
        g.b.batch_strides.clear();
        g.is_collapsed = true;
        return g;
    }
    g.a.batch_strides = broadcast_to(g.a, g.batch);
    g.b.batch_strides = broadcast_to(g.b, g.batch);
    return g;
}

}  // namespace lapidary
