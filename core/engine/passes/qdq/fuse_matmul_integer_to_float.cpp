// SPDX-License-Identifier: Apache-2.0
//   before:  y = Cast(MatMulInteger(a, b, a_zero, b_zero)) * (a_scale * b_scale) [+ bias]
//   after:   y = com.microsoft::MatMulIntegerToFloat(a, b, a_scale, b_scale, a_zero, b_zero, bias)
// One scale for a; one, or one per column, for b. A single constant in place of the product of
// scales counts as b's.
#include <cmath>

#include <fmt/format.h>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

/// Rank 0, or one element of rank 1.
bool is_one(const Scope& scope, ValueId v) {
    return scope.rank(v) == 0 || (scope.rank(v) == 1 && scope.dim(v, 0) == 1);
}

bool is_column_parameter(const Scope& scope, ValueId v, ValueId b) {
    if (is_one(scope, v)) return true;
    if (scope.rank(v) != 1 || scope.rank(b) != 2) return false;
    // One row that the product takes without growing has one element or one per column, even where
    // its size is not known.
    const std::int64_t size = scope.dim(v, 0), columns = scope.dim(b, -1);
    return columns > 0 && (size == columns || (size < 0 && columns > 1));
}

struct Scales {
    ValueId a, b;
};

/// Which of two factors is the scale of a: the one from the same node as a, else the only one whose
/// shape fits.
Outcome assign(const Match& m, Scales& scales) {
    const Scope& scope = m.scope();
    const Node* source = scope.producer(m.value("a"));
    const auto beside_a = [&](ValueId v) { return source && scope.producer(v) == source; };
    if (beside_a(scales.b) ||
        (!beside_a(scales.a) && !is_one(scope, scales.a) && is_one(scope, scales.b)))
        std::swap(scales.a, scales.b);
    if (!is_one(scope, scales.a))
        return declined("the scale of A has shape " + to_string(scope.type(scales.a)) +
                        ", needs one element");
    if (!is_column_parameter(scope, scales.b, m.value("b")))
        return declined("the scale of B has shape " + to_string(scope.type(scales.b)) +
                        ", needs one element, or one per column");
    return applied({});
}

std::string zero_point_problem(const Match& m) {
    const Scope& scope = m.scope();
    const ValueId a = m.value_or_none("a_zero"), b = m.value_or_none("b_zero");
    if (a && !is_one(scope, a))
        return "the zero point of A has shape " + to_string(scope.type(a)) + ", needs one element";
    if (b && !is_column_parameter(scope, b, m.value("b")))
        return "the zero point of B has shape " + to_string(scope.type(b)) +
               ", needs one element, or one per column";
    if (scope.dtype(m.value("a")) == DType::i8 && scope.dtype(m.value("b")) == DType::u8)
        return "A is i8 and B is u8; an i8 A needs an i8 B";
    return {};
}

/// The operator needs positive scales; a computed one is assumed to be positive.
std::string scale_problem(const Scope& scope, ValueId scale) {
    const Tensor* t = scope.constant(scale);
    if (!t) return {};
    for (double s : to_doubles(*t))
        if (!(s > 0) || !std::isfinite(s))
            return fmt::format("the scale \"{}\" is {}, which is not positive and finite",
                               scope.value(scale).name, s);
    return {};
}

Outcome fuse_to_float(const Match& m, PassContext& context) {
    if (std::string p = zero_point_problem(m); !p.empty()) return declined(p);
    Scales scales;
    if (m.has("p")) scales = {m.value("p"), m.value("q")};
    else scales.b = m.value("factor");
    if (scales.a) {
        if (Outcome o = assign(m, scales); !o.done) return o;
    } else if (!is_column_parameter(context.scope(), scales.b, m.value("b"))) {
        return declined("the scale has shape " + to_string(context.scope().type(scales.b)) +
                        ", needs one element, or one per column");
    }
    for (ValueId scale : {scales.a, scales.b})
        if (std::string p = scale ? scale_problem(context.scope(), scale) : ""; !p.empty())
            return declined(p);
    if (!scales.a) scales.a = context.constant_scalar("one", DType::f32, 1);
    std::vector<ValueId> inputs{m.value("a"),
                                m.value("b"),
                                scales.a,
                                scales.b,
                                m.value_or_none("a_zero"),
                                m.value_or_none("b_zero")};
    while (!inputs.back()) inputs.pop_back();
    context.replace(m.root(), "com.microsoft::MatMulIntegerToFloat", std::move(inputs), {},
                    m.nodes());
    return applied("MatMulInteger, Cast and scaling became MatMulIntegerToFloat");
}

std::string float_bias_problem(const Subject& s) {
    const ValueId bias = s.match.value("bias");
    const std::int64_t n = s.scope.dim(s.match.value("product_b"), -1);
    if (s.scope.rank(bias) != 1 || n < 0 || s.scope.dim(bias, 0) != n)
        return fmt::format("the bias is {}, needs one element per column",
                           to_string(s.scope.type(bias)));
    return {};
}

Outcome add_bias(const Match& m, PassContext& context) {
    std::vector<ValueId> inputs = m.node("product").inputs;
    inputs.resize(7);
    inputs[6] = m.value("bias");
    context.replace(m.root(), "com.microsoft::MatMulIntegerToFloat", std::move(inputs), {},
                    m.nodes());
    return applied("the bias moved into MatMulIntegerToFloat");
}

}  // namespace

PassBody fuse_matmul_integer_to_float() {
    const auto product =
        op("MatMulInteger", {any("a"), any("b"), maybe(any("a_zero")), maybe(any("b_zero"))})
            .named("product")
            .require(read_once(), "the integer product is also read elsewhere");
    const auto cast =
        op("Cast", {product})
            .named("cast")
            .require(int_attribute_is("to", static_cast<std::int64_t>(DType::f32), 0),
                     "the integers are not cast to f32, which the operator computes in")
            .require(read_once(), "the product cast to float is also read elsewhere");
    const auto together =
        op("Mul", {cast, op("Mul", {any("p"), any("q")}).named("scale")}).commutative().named("y");
    const auto once =
        op("Mul", {cast, any("p")})
            .commutative()
            .require(read_once(), "the product with one scale is also read elsewhere");
    const auto one_by_one = op("Mul", {once, any("q")}).commutative().named("y");
    const auto constant_scale = op("Mul", {cast, constant("factor")}).commutative().named("y");
    const auto scaled =
        op("com.microsoft::MatMulIntegerToFloat",
           {any("product_a"), any("product_b"), any(), any()})
            .more_inputs()
            .named("product")
            .where([](const Subject& s) { return s.node->inputs.size() < 7 || !s.node->inputs[6]; },
                   "it has a bias already")
            .require(read_once(), "the product is also read elsewhere");
    const auto biased = op("Add", {scaled, any("bias")})
                            .commutative()
                            .named("y")
                            .require(ExplainedCheck(float_bias_problem));
    return {.rules = {{.pattern = together, .rewrite = fuse_to_float},
                      {.pattern = one_by_one, .rewrite = fuse_to_float},
                      {.pattern = constant_scale, .rewrite = fuse_to_float},
                      {.pattern = biased, .rewrite = add_bias}}};
}

}  // namespace lapidary::passes
