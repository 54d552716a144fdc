// SPDX-License-Identifier: Apache-2.0
//   before:  y = Reshape(Gemm(Reshape(x, [-1, K]), W, b), x's shape with N in place of K)
//   after:   y = Add(MatMul(x, W), b)
// Projections of transformers as exporters write a linear layer over [batch, rows, features].
// MatMul works on the last axes whatever is before them, so that neither Reshape is needed, nor
// what computes their shapes. The bias can then go into what follows: SkipLayerNormalization,
// BiasGelu, FastGelu. Not in 16 bits, where MatMul and Add round twice and Gemm once.
#include <algorithm>
#include <iterator>

#include "ops/dimensions/dim_algebra.h"
#include "passes/axis_arguments.h"
#include "rewrite/constant_math.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

std::string shape_text(const Type& type) {
    return type.shape ? to_string(*type.shape) : "an unknown shape";
}

/// Why the flattened value is not `x` as a matrix of rows as long as its last axis, or empty.
std::string flattening_problem(const Type& x, const Type& flat, std::int64_t features) {
    const bool keeps_rows = flat.shape && flat.shape->size() == 2 &&
                            flat.shape->back().value() == features &&
                            x.shape->back().value() == features;
    return keeps_rows ? ""
                      : "the rows of " + shape_text(flat) + " are not the last axis of " +
                            shape_text(x) + ", of " + std::to_string(features) + " elements";
}

/// Why `y` is not the product with the axes of `x` before the last one, or empty.
std::string leading_axes_problem(const Type& x, const Type& y, std::int64_t filters) {
    bool same = y.shape->back().value() == filters;
    for (std::size_t i = 0; same && i + 1 < x.shape->size(); ++i)
        same = surely_equal((*x.shape)[i], (*y.shape)[i]);
    return same ? ""
                : "the product of " + shape_text(x) + " with " + std::to_string(filters) +
                      " columns becomes " + shape_text(y) +
                      ", whose axes before the last are not known to be the same";
}

/// Why the bias is not the same for every row; empty: it is.
std::string added_row_problem(const Type& bias, std::int64_t filters) {
    bool fits = bias.shape && bias.shape->size() <= 2;
    for (std::size_t i = 0; fits && i < bias.shape->size(); ++i) {
        const Dim& d = (*bias.shape)[i];
        fits = d.value() == 1 || (i + 1 == bias.shape->size() && d.value() == filters);
    }
    return fits ? ""
                : "the bias has the shape " + shape_text(bias) + ", needs one row of 1 or " +
                      std::to_string(filters) + " elements";
}

/// Why the Gemm is more than a product and a bias, or empty.
std::string gemm_problem(const Match& m, const Node& gemm) {
    if (const DType t = m.scope().dtype(m.value("gemm")); t != DType::f32 && t != DType::f64)
        return "Gemm of " + std::string(name_of(t)) +
               " rounds once, MatMul and Add would round twice";
    if (gemm.int_attribute("transA", 0) != 0) return "the Gemm transposes its left operand";
    if (gemm.float_attribute("alpha", 1.0f) != 1.0f) return "the Gemm scales the product";
    if (m.has("bias") && gemm.float_attribute("beta", 1.0f) != 1.0f)
        return "the Gemm scales the bias";
    if (gemm.int_attribute("transB", 0) != 0 && !m.scope().value(m.value("weight")).read_once())
        return "the transposed weight is also read elsewhere, and would be stored twice";
    return {};
}

Outcome unflatten(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node& gemm = m.node("gemm");
    const Type &x = m.type("x"), &y = m.type("y");
    if (!x.shape || !y.shape || x.shape->size() < 3 || y.shape->size() != x.shape->size())
        return not_concerned();
    const Tensor& weight = m.constant("weight");
    if (weight.rank() != 2) return not_concerned();
    const bool transposes = gemm.int_attribute("transB", 0) != 0;
    const std::int64_t features = weight.dim(transposes ? 1 : 0),
                       filters = weight.dim(transposes ? 0 : 1);
    if (std::string problem = gemm_problem(m, gemm); !problem.empty())
        return declined(std::move(problem));
    for (const std::string& problem :
         {flattening_problem(x, m.type("flat"), features), leading_axes_problem(x, y, filters),
          m.has("bias") ? added_row_problem(m.type("bias"), filters) : std::string()})
        if (!problem.empty()) return declined(problem);
    std::vector<NodeId> matched(m.nodes().begin(), m.nodes().end());
    for (const char* view : {"y", "flat"})
        if (const Node& node = m.node(view); node.inputs.size() > 1)
            std::ranges::copy(nodes_above(scope, node.inputs[1]), std::back_inserter(matched));
    const ValueId bias = m.value_or_none("bias");
    const std::string name = gemm.name;
    const ValueId right =
        transposes ? context.constant(scope.value(m.value("weight")).name + "_transposed",
                                      transposed(weight, {1, 0}))
                   : m.value("weight");
    const std::vector<ValueId> operands{m.value("x"), right};
    if (bias)
        context.replace(m.root(), "Add", {context.node("MatMul", operands, {}, name), bias}, {},
                        matched);
    else context.replace(m.root(), "MatMul", operands, {}, matched);
    return applied("a Gemm of flattened rows became MatMul" + std::string(bias ? " and Add" : "") +
                   " on the axes as they are");
}

}  // namespace

PassBody unflatten_gemm() {
    const auto flat = op("Reshape|Flatten", {any("x")}).more_inputs().named("flat");
    const auto gemm = op("Gemm", {flat, constant("weight"), maybe(any("bias"))})
                          .named("gemm")
                          .require(read_once(), "the product is also read as a matrix");
    return {.rules = {{.pattern = op("Reshape", {gemm}).more_inputs().named("y"),
                       .rewrite = unflatten}},
            .least_opset = 7};
}

}  // namespace lapidary::passes
