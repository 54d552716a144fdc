// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(a, b) * c          also / c, and c on either operand; c a constant number
//   after:   y = com.microsoft::FusedMatMul(a, b) {alpha: c}
// The constant may not add axes. A scaled operand may be read by several products, which all take
// the factor over.
#include <cmath>

#include "passes/extended/products/fused_product.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

constexpr const char* products = "MatMul|com.microsoft::FusedMatMul";

/// Mul by "c" in either order, or Div by "c".
Pattern scaled(const Pattern& x, const char* name) {
    return either({op("Mul", {scalar("c"), x}).commutative().versions(7).named(name),
                   op("Div", {x, scalar("c")}).versions(7).named(name)});
}

/// Why the factor of the node bound to `name` does not fit; empty: it does.
std::string factor_problem(const Match& m, const char* name, ValueId x) {
    const Tensor& c = m.constant("c");
    const Scope& scope = m.scope();
    if (const DType t = scope.dtype(m.value(name)); !has_fused_kernel(scope, t))
        return no_fused_kernel("FusedMatMul", t);
    if (c.rank() > 0 && c.rank() > scope.rank(x))
        return "the factor of rank " + std::to_string(c.rank()) + " may add axes to the result";
    const double v = *scalar_of(&c);
    if (!std::isfinite(v) || v == 0) return "the factor is " + std::to_string(v);
    return {};
}

double factor(const Match& m, const char* name) {
    const double v = *scalar_of(&m.constant("c"));
    return m.node(name).op_type == "Div" ? 1 / v : v;
}

Outcome scale_operand(const Match& m, PassContext& context, std::size_t side) {
    if (std::string problem = factor_problem(m, "scaled", m.value("x")); !problem.empty())
        return declined(std::move(problem));
    const Node& product = m.node("product");
    MatMulAttributes attributes = MatMulAttributes::of(product);
    attributes.alpha *= factor(m, "scaled");
    std::vector<ValueId> inputs = product.inputs;
    inputs[side] = m.value("x");
    context.replace(m.root(), "com.microsoft::FusedMatMul", inputs, attributes.list(), m.nodes());
    return applied(std::string("the factor of the ") + (side == 0 ? "left" : "right") +
                   " operand became alpha");
}

}  // namespace

PassBody fuse_matmul_scale() {
    const auto product = op(products, {any("a"), any("b")})
                             .named("product")
                             .require(read_once(), "the product is also read elsewhere");
    const auto read_by_products = [](const Subject& s) {
        return only_products_read()({s.match, s.scope, s.match.value("scaled"), s.node});
    };
    const auto operand = scaled(any("x"), "scaled");
    const auto left =
        op(products, {operand, any()})
            .named("product")
            .require(read_by_products, "the scaled operand is not only read by products");
    const auto right =
        op(products, {any(), operand})
            .named("product")
            .require(read_by_products, "the scaled operand is not only read by products");
    return {.rules = {{.pattern = scaled(product, "y"),
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               if (std::string problem = factor_problem(m, "y", m.value("product"));
                                   !problem.empty())
                                   return declined(std::move(problem));
                               MatMulAttributes attributes =
                                   MatMulAttributes::of(m.node("product"));
                               attributes.alpha *= factor(m, "y");
                               context.replace(m.root(), "com.microsoft::FusedMatMul",
                                               {m.value("a"), m.value("b")}, attributes.list(),
                                               m.nodes());
                               return applied("the factor of the product became alpha");
                           },
                       .near_miss_from = 3},
                      {.pattern = left,
                       .rewrite = [](const Match& m,
                                     PassContext& context) { return scale_operand(m, context, 0); },
                       .near_miss_from = 3},
                      {.pattern = right,
                       .rewrite = [](const Match& m,
                                     PassContext& context) { return scale_operand(m, context, 1); },
                       .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
