// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(x, Transpose(table))              table is a constant matrix
//   after:   y = com.microsoft::FusedMatMul(x, table) {transB}
// The head of a language model multiplies by the table that its embedding reads. A table too large
// to be folded would be transposed in every run, and kernels pack constants alone. A Transpose that
// others read too stays for them.
#include <lapidary/base/error.h>

#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

bool swaps_axes_of_matrix(const Node& transpose) {
    const std::vector<std::int64_t> perm = transpose.ints_attribute("perm");
    return perm.empty() || perm == std::vector<std::int64_t>{1, 0};
}

bool is_packed_in_float32(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16;
}

bool is_taken_by_level(const Scope& scope, const Match& m) {
    const auto only_products = only_products_read();
    return scope.dtype(m.value("table")) == DType::f32 &&
           only_products({m, scope, m.node("transpose").outputs[0], &m.node("transpose")});
}

Outcome read_table(const Match& m, PassContext& context) {
    const Tensor* const table = context.scope().constant(m.value("table"));
    if (!table || table->rank() != 2 || !is_packed_in_float32(table->dtype()) ||
        !swaps_axes_of_matrix(m.node("transpose")) || is_taken_by_level(context.scope(), m))
        return not_concerned();
    MatMulAttributes attributes = MatMulAttributes::of(m.node("product"));
    if (attributes.batch_transposed[1])
        return declined("the product moves the first axis of the matrix");
    attributes.transposed[1] = !attributes.transposed[1];
    const std::vector<ValueId> inputs{m.node("product").inputs[0], m.value("table")};
    const std::string name = context.graph().value(m.value("table")).name;
    context.replace(m.root(), "com.microsoft::FusedMatMul", inputs, attributes.list(), m.nodes());
    return applied("the product reads " + quote(name) + " itself, without a Transpose");
}

}  // namespace

PassBody read_transposed_weights() {
    const auto transposed = op("Transpose", {any("table")}).named("transpose");
    return {.rules = {
                {.pattern =
                     op("MatMul|com.microsoft::FusedMatMul", {any(), transposed}).named("product"),
                 .rewrite = read_table,
                 .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
