// SPDX-License-Identifier: Apache-2.0
#include "ops/geometry/gemm.h"

#include <string>

#include <lapidary/base/error.h>

#include "ops/geometry/broadcast.h"

namespace lapidary {

GemmGeometry gemm_geometry(const Node& node, const Shape& a, const Shape& b, const Shape* c) {
    if (a.size() != 2 || b.size() != 2)
        fail_input("Gemm: expected matrices, found A " + to_string(a) + " and B " + to_string(b));
    GemmGeometry g;
    g.transpose_a = node.int_attribute("transA", 0) != 0;
    g.transpose_b = node.int_attribute("transB", 0) != 0;
    g.rows = a[g.transpose_a ? 1 : 0];
    g.inner = a[g.transpose_a ? 0 : 1];
    g.columns = b[g.transpose_b ? 0 : 1];
    if (b[g.transpose_b ? 1 : 0] != g.inner)
        fail_input("Gemm: the inner dimensions of A " + to_string(a) + " and B " + to_string(b) +
                   " differ (transA " + std::to_string(g.transpose_a) + ", transB " +
                   std::to_string(g.transpose_b) + ")");
    if (!c) return g;
    const Shape target = g.output();
    if (c->size() > 2 || broadcast_shapes(*c, target) != target)
        fail_input("Gemm: C " + to_string(*c) + " does not broadcast to " + to_string(target));
    const Shape strides = broadcast_strides(*c, target);
    g.c_row_stride = strides[0];
    g.c_column_stride = strides[1];
    return g;
}

}  // namespace lapidary
