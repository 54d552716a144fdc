// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(Transpose(x), z)   either operand, also behind a Cast; the Transpose swaps
//            the last two axes, or moves the first axis next to the last one
//   after:   y = com.microsoft::FusedMatMul(x, z) {transA | transB | transBatchA | transBatchB}
// Every reader of the Transpose must be a product, so that it goes away. An axis moved from the
// front needs both operands of one rank, as the operator does.
#include <algorithm>

#include "base/at.h"

#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

struct Movement {
    bool last_two = false, first = false;
};

/// Nothing when the permutation is neither.
std::optional<Movement> movement_of(const Node& transpose, int rank) {
    std::vector<std::int64_t> perm = transpose.ints_attribute("perm");
    if (perm.empty())
        for (int i = rank; i-- > 0;) perm.push_back(i);
    const auto n = static_cast<std::int64_t>(perm.size());
    if (n < 2) return std::nullopt;
    for (const Movement m : {Movement{true, false}, Movement{false, true}, Movement{true, true}}) {
        if (m.first && n < 3) continue;
        std::vector<std::int64_t> expected;
        for (std::int64_t i = 0; i < n; ++i) expected.push_back(i);
        if (m.first) {
            expected.erase(expected.begin());
            expected.insert(expected.end() - 1, 0);
        }
        if (m.last_two) std::swap(at(expected, n - 1), at(expected, n - 2));
        if (perm == expected) return m;
    }
    return std::nullopt;
}

Outcome turn(const Match& m, PassContext& context, std::size_t side) {
    const Scope& scope = m.scope();
    const Node& product = m.node("product");
    if (const DType t = scope.dtype(m.value("product")); !has_fused_kernel(scope, t))
        return declined(no_fused_kernel("FusedMatMul", t));
    const int rank = scope.rank(m.value("x"));
    const auto movement = movement_of(m.node("transpose"), rank);
    if (!movement)
        return declined(
            "the Transpose neither swaps the last two axes nor moves the first one next to the "
            "last");
    MatMulAttributes attributes = MatMulAttributes::of(product);
    if (movement->first) {
        if (attributes.batch_transposed[side])
            return declined("the product moves the first axis already");
        if (rank < 0 || rank != scope.rank(product.inputs[1 - side]))
            return declined("the Transpose moves the first axis, which needs operands of one rank");
        attributes.batch_transposed[side] = true;
    } else if (attributes.batch_transposed[side]) {
        return declined("the product moves the first axis already");
    }
    if (movement->last_two) attributes.transposed[side] = !attributes.transposed[side];
    std::vector<ValueId> inputs = product.inputs;
    inputs[side] = m.value("x");
    if (m.has("cast"))
        inputs[side] =
            context.node("Cast", {m.value("x")}, m.node("cast").attributes, m.node("cast").name);
    context.replace(m.root(), "com.microsoft::FusedMatMul", inputs, attributes.list(), m.nodes());
    return applied(std::string("Transpose of the ") + (side == 0 ? "left" : "right") +
                   " operand went into FusedMatMul");
}

}  // namespace

PassBody fuse_matmul_transpose() {
    const auto transpose = op("Transpose", {any("x")}).named("transpose");
    const auto direct = transpose.require(only_products_read(),
                                          "the transposed value is not only read by products");
    const auto converted =
        op("Cast", {transpose.require(read_once(), "the transposed value is also read elsewhere")})
            .named("cast")
            .require(read_once(), "the converted value is also read elsewhere");
    const auto operand = either({direct, converted});
    return {
        .rules = {
            {.pattern = op("MatMul|com.microsoft::FusedMatMul", {operand, any()}).named("product"),
             .rewrite = [](const Match& m, PassContext& context) { return turn(m, context, 0); },
             .near_miss_from = 3},
            {.pattern = op("MatMul|com.microsoft::FusedMatMul", {any(), operand}).named("product"),
             .rewrite = [](const Match& m, PassContext& context) { return turn(m, context, 1); },
             .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
