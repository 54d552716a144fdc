// SPDX-License-Identifier: Apache-2.0
// Gemm's shapes: Y [rows, columns] = A' [rows, inner] * B' [inner, columns] + C broadcast to Y.
#pragma once

#include <cstdint>

#include <lapidary/graph/graph.h>
#include <lapidary/graph/shape.h>

namespace lapidary {

struct GemmGeometry {
    std::int64_t rows = 1, inner = 1, columns = 1;
    bool transpose_a = false, transpose_b = false;
    std::int64_t c_row_stride = 0, c_column_stride = 0;  // in elements, 0 where C is broadcast

    Shape output() const { return {rows, columns}; }
};

/// The shapes of Gemm (opset 7 on) and FusedGemm with the node's transA and transB; `c` is null
/// without C. Throws invalid_input when they do not go together.
GemmGeometry gemm_geometry(const Node& node, const Shape& a, const Shape& b, const Shape* c);

}  // namespace lapidary
