// SPDX-License-Identifier: Apache-2.0
// MatMul's shapes as one or many products of strided matrices.
#pragma once

#include <cstdint>
#include <string_view>

#include <lapidary/graph/shape.h>

namespace lapidary {

/// How FusedMatMul transposes an operand. matrix: rows and columns are swapped (transA, transB).
/// batch: axis 0 takes the place of the rows axis (transBatchA, transBatchB).
struct OperandTurn {
    bool matrix = false, batch = false;
    friend bool operator==(const OperandTurn&, const OperandTurn&) = default;
};

/// One operand: element (row, column) of matrix i at offset_i + row * row_stride + column *
/// column_stride, one of the strides being 1.
struct OperandView {
    std::int64_t rows = 1, columns = 1, row_stride = 1, column_stride = 1;
    Shape batch, batch_strides;  // in elements

    bool is_transposed() const { return column_stride != 1; }
    std::int64_t stride() const { return is_transposed() ? column_stride : row_stride; }
};

/// The shapes of numpy.matmul. Messages start with `op`.
struct MatMulGeometry {
    std::int64_t rows = 1, inner = 1, columns = 1, batches = 1;
    OperandView a, b;
    Shape batch;  // what the batch axes of both broadcast to
    Shape output;
    bool is_collapsed = false;  // B is one matrix, so all rows of A are multiplied in one product

    /// Where matrix `index` of `batch` starts in an operand.
    std::int64_t offset(const OperandView& operand, std::int64_t index) const;
};

/// Throws invalid_input when the shapes do not fit.
MatMulGeometry matmul_geometry(std::string_view op, const Shape& a, OperandTurn turn_a,
                               const Shape& b, OperandTurn turn_b);

}  // namespace lapidary
