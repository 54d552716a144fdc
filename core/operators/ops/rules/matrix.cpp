// SPDX-License-Identifier: Apache-2.0
// Matrix products: MatMul and its integer forms, Gemm, Det.
#include <fmt/format.h>

#include "ops/rules/matrix_shapes.h"
#include "ops/rules/quantization_checks.h"

namespace lapidary {

SymbolicShape matmul_shape(const InferenceContext& ctx, SymbolicShape a, SymbolicShape b) {
    if (a.empty() || b.empty())
        ctx.fail("a matrix product needs operands of rank 1 or more, found a number");
    const bool row = a.size() == 1, column = b.size() == 1;
    if (row) a.insert(a.begin(), 1);
    if (column) b.push_back(1);
    same_dim(ctx, a.back(), b[b.size() - 2],
             fmt::format("inner dimensions of {} and {} must agree", to_string(a), to_string(b)));
    SymbolicShape result = broadcast(ctx, SymbolicShape(a.begin(), a.end() - 2),
                                     SymbolicShape(b.begin(), b.end() - 2));
    if (!row) result.push_back(a[a.size() - 2]);
    if (!column) result.push_back(b.back());
    return result;
}

void infer_product_of(InferenceContext& ctx, std::size_t a, std::size_t b) {
    const InputShape *left = ctx.input_shape(a), *right = ctx.input_shape(b);
    if (left && right) ctx.set_output_shape(0, matmul_shape(ctx, *left, *right));
}

void infer_matmul(InferenceContext& ctx) { infer_product_of(ctx, 0, 1); }

void infer_qlinear_matmul(InferenceContext& ctx) {
    for (const auto& [input, name] :
         {std::pair<std::size_t, const char*>{1, "a_scale"}, {4, "b_scale"}, {6, "y_scale"}})
        require_usable_scale(ctx, input, name);
    require_same_shape(ctx, 1, 2);
    require_same_shape(ctx, 4, 5);
    require_same_shape(ctx, 6, 7);
    infer_product_of(ctx, 0, 3);
}

void infer_gemm(InferenceContext& ctx) {
    const InputShape *a = shape_of_rank(ctx, 0, 2, "A"), *b = shape_of_rank(ctx, 1, 2, "B"),
                     *c = ctx.input_shape(2);
    const bool flip_a = ctx.node().int_attribute("transA", 0) != 0,
               flip_b = ctx.node().int_attribute("transB", 0) != 0;
    const Dim rows = a ? (*a)[flip_a ? 1 : 0] : Dim(), columns = b ? (*b)[flip_b ? 0 : 1] : Dim();
    if (a && b) {
        same_dim(
            ctx, (*a)[flip_a ? 0 : 1], (*b)[flip_b ? 1 : 0],
            fmt::format("inner dimensions of A {}{} and B {}{} must agree", to_string(*a),
                        flip_a ? " transposed" : "", to_string(*b), flip_b ? " transposed" : ""));
    }
    const SymbolicShape result = {rows, columns};
    if (c) {
        const SymbolicShape both = broadcast(ctx, result, *c);
        if (both.size() != 2 || surely_different(both[0], rows) ||
            surely_different(both[1], columns)) {
            ctx.fail(fmt::format("C of shape {} does not broadcast to {}", to_string(*c),
                                 to_string(result)));
        }
    }
    ctx.set_output_shape(0, result);
}

void infer_det(InferenceContext& ctx) {
    const InputShape* shape = shape_of_least_rank(ctx, 0, 2, "X");
    if (!shape) return;
    same_dim(ctx, shape->back(), (*shape)[shape->size() - 2], "the matrices must be square");
    ctx.set_output_shape(0, SymbolicShape(shape->begin(), shape->end() - 2));
}

}  // namespace lapidary
