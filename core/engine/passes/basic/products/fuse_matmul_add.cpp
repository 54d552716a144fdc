// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(A, B) + C   A and B matrices, C of shape (M or 1, N or 1), N, 1 or scalar,
//            either order
//   after:   y = Gemm(A, B, C)
// Products of other ranks stay MatMul and Add: Gemm takes matrices only, so a Reshape before and
// one after would make three nodes of two, and attention would no longer be recognised by its
// projections. A product of dequantized operands stays too, where it has an integer form.
#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Both operands are dequantized and the bias is not, or the right one is of 4 bits: the product
/// has an integer form, Gemm has not.
bool is_integer_product(const Match& m) {
    const auto dequantized = [&](const char* name) {
        const Node* p = m.scope().producer(m.value(name));
        return p && p->op_type == "DequantizeLinear" ? p : nullptr;
    };
    const Node* weight = dequantized("b");
    if (!weight) return false;
    const DType stored = m.scope().dtype(weight->inputs[0]);
    return stored == DType::i4 || stored == DType::u4 || (dequantized("a") && !dequantized("c"));
}

}  // namespace

PassBody fuse_matmul_add() {
    const auto product = op("MatMul", {any("a"), any("b")})
                             .named("product")
                             .require(read_once(), "the product is also read elsewhere");
    const auto types = [](const Subject& s) {
        const DType t = s.scope.dtype(s.match.value("product"));
        return t == DType::f32 || t == DType::f64 || t == DType::f16 ||
               (t == DType::bf16 && s.node->version >= 13);
    };
    const auto sum = op("Add", {product, any("c")})
                         .commutative()
                         .versions(7)
                         .named("y")
                         .require(types, "Gemm does not take the element type");
    return {
        .rules = {
            {.pattern = sum, .rewrite = [](const Match& m, PassContext& context) {
                 const Scope& scope = m.scope();
                 const int rank_a = scope.rank(m.value("a")), rank_b = scope.rank(m.value("b"));
                 if (rank_a != 2 || rank_b != 2)
                     return rank_a == 3 || rank_a == 4
                                ? not_concerned()
                                : declined("the operands are not provably matrices");
                 if (is_integer_product(m))
                     return declined("the operands are dequantized: left to the integer product");
                 const Type& bias = m.type("c");
                 const Type& type = m.type("product");
                 bool fits = bias.shape && type.shape && bias.shape->size() <= 2;
                 for (std::size_t i = 0; fits && i < bias.shape->size(); ++i)
                     fits =
                         (*bias.shape)[i] == Dim(1) ||
                         surely_equal((*bias.shape)[i], (*type.shape)[2 - bias.shape->size() + i]);
                 if (!fits)
                     return declined("the bias of shape " +
                                     (bias.shape ? to_string(*bias.shape) : std::string("?")) +
                                     " does not broadcast to the product's " +
                                     (type.shape ? to_string(*type.shape) : std::string("?")));
                 context.replace(m.root(), "Gemm", {m.value("a"), m.value("b"), m.value("c")}, {},
                                 m.nodes());
                 return applied("MatMul and Add became Gemm");
             }}}};
}

}  // namespace lapidary::passes
