// SPDX-License-Identifier: Apache-2.0
//   before:  y = (x + a) + b   also Sub on either side;   (x * a) * b, also Div on either side; a,
//            b constants
//   after:   y = x + (a + b)   y = x * (a * b)
// Floats only. The constants may not cancel (that is how values are rounded on purpose), under- or
// overflow, and the merged constant may not be larger than both. What a MatMul feeds keeps its own
// bias apart from a constant of another shape.
#include <algorithm>
#include <cmath>

#include "rewrite/constant_math.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// y = sign * x + c, or y = x ** sign * c.
// elements: a merged one is another tensor of the model
constexpr std::int64_t largest_constant = 1 << 20;

struct Step {
    bool multiplies = false;
    int sign = 1;          // -1: Sub(c, x), Div(c, x)
    bool inverse = false;  // the constant is subtracted or divided by
    ValueId x, constant;
};

Step step_of(const Node& node, ValueId constant) {
    Step s;
    s.multiplies = node.op_type == "Mul" || node.op_type == "Div";
    const bool first = node.inputs[0] == constant;
    const bool ordered = node.op_type == "Sub" || node.op_type == "Div";
    s.sign = ordered && first ? -1 : 1;
    s.inverse = ordered && !first;
    s.x = node.inputs[first ? 1 : 0];
    s.constant = constant;
    return s;
}

std::optional<Shape> merged_shape(const Tensor& a, const Tensor& b) {
    const Tensor& big =
        a.rank() > b.rank() || (a.rank() == b.rank() && a.size() >= b.size()) ? a : b;
    const Tensor& small = &big == &a ? b : a;
    const auto skip = static_cast<std::size_t>(big.rank() - small.rank());
    for (std::size_t i = 0; i < small.shape().size(); ++i)
        if (small.dim(i) != 1 && small.dim(i) != big.dim(skip + i)) return std::nullopt;
    return big.shape();
}

std::vector<double> spread(const Tensor& t, const Shape& shape) {
    const std::vector<double> from = to_doubles(t);
    if (t.shape() == shape) return from;
    std::vector<double> out(static_cast<std::size_t>(element_count(shape)));
    const std::size_t skip = shape.size() - t.shape().size();
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::size_t rest = i, at = 0, stride = 1;
        for (std::size_t axis = shape.size(); axis-- > skip;) {
            const auto n = static_cast<std::size_t>(shape[axis]),
                       m = static_cast<std::size_t>(t.dim(axis - skip));
            if (m != 1) at += rest % n * stride;
            stride *= m;
            rest /= n;
        }
        out[i] = from[at];
    }
    return out;
}

bool is_product(const Scope& scope, ValueId value) {
    const Node* node = scope.producer(value);
    return node && (node->op_type == "MatMul" || node->op_type == "FusedMatMul");
}

/// The smallest normal and the largest number of a float type.
std::pair<double, double> normal_range(DType dtype) {
    if (dtype == DType::f16) return {6.2e-5, 65504};
    if (dtype == DType::f64)
        return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
    return {std::numeric_limits<float>::min(), std::numeric_limits<float>::max()};
}

/// Factors p and q of two steps become one: inner x^s * u, outer (inner)^t * v, in one x^(s t) *
/// u^t * v.
double merged_factor(const Step& inner, const Step& outer, double p, double q, double least,
                     std::string& problem) {
    const double u = inner.inverse ? 1 / p : p, v = outer.inverse ? 1 / q : q;
    const double merged = (outer.sign < 0 ? 1 / u : u) * v;
    const bool is_denormal = merged != 0 && std::fabs(merged) < least;
    const bool vanished = merged == 0 && u != 0 && v != 0;
    if (is_denormal || vanished) problem = "the merged constant is too small for its type";
    return merged;
}

/// Summands p and q of two steps become one.
double merged_summand(const Step& inner, const Step& outer, double p, double q,
                      std::string& problem) {
    const double u = inner.inverse ? -p : p, v = outer.inverse ? -q : q;
    const double merged = outer.sign * u + v;
    if (std::fabs(merged) < 0.25 * std::max(std::fabs(u), std::fabs(v)))
        problem = "the constants cancel: the sum in between rounds, which may be wanted";
    return merged;
}

/// Merges the constants q into p; else says why that would change results.
std::string merge_elements(const Step& inner, const Step& outer, DType dtype,
                           std::vector<double>& p, const std::vector<double>& q) {
    const auto [least, limit] = normal_range(dtype);
    std::string problem;
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = outer.multiplies ? merged_factor(inner, outer, p[i], q[i], least, problem)
                                : merged_summand(inner, outer, p[i], q[i], problem);
        if (problem.empty() && !(std::fabs(p[i]) <= limit))
            problem = "the merged constant leaves the range of its type";
        if (!problem.empty()) return problem;
    }
    return {};
}

Outcome merge(const Match& m, PassContext& context) {
    const Step inner = step_of(m.node("inner"), m.value("a")),
               outer = step_of(m.node("outer"), m.value("b"));
    const Tensor& a = m.constant("a");
    const Tensor& b = m.constant("b");
    if (a.size() > largest_constant || b.size() > largest_constant)
        return declined("a constant has " + std::to_string(std::max(a.size(), b.size())) +
                        " elements, expected at most " + std::to_string(largest_constant));
    if (outer.multiplies && scalar_equals(&a, 0.5))
        return declined("the factor 0.5 may be the end of a Gelu");
    if (is_product(m.scope(), inner.x) && a.shape() != b.shape())
        return declined("the first constant, of shape " + to_string(a.shape()) +
                        ", may join the MatMul before it; the " + "second has shape " +
                        to_string(b.shape()));
    const auto shape = merged_shape(a, b);
    if (!shape)
        return declined("merging constants of shapes " + to_string(a.shape()) + " and " +
                        to_string(b.shape()) + " would make a larger one");
    std::vector<double> p = spread(a, *shape);
    if (std::string problem = merge_elements(inner, outer, a.dtype(), p, spread(b, *shape));
        !problem.empty())
        return declined(std::move(problem));
    const bool negated = inner.sign * outer.sign < 0;
    const std::string text = m.node("outer").op_type + " after " + m.node("inner").op_type +
                             ": their constants became one";
    const ValueId constant = context.constant(context.graph().value(m.value("b")).name,
                                              tensor_of_doubles(a.dtype(), *shape, p));
    const std::vector<ValueId> inputs =
        negated ? std::vector<ValueId>{constant, inner.x} : std::vector<ValueId>{inner.x, constant};
    context.replace(m.root(),
                    outer.multiplies ? (negated ? "Div" : "Mul") : (negated ? "Sub" : "Add"),
                    inputs, {}, m.nodes());
    return applied(text);
}

/// The operator with a constant on either side.
Pattern with_constant(const char* both_orders, const char* ordered, const Pattern& c,
                      const Pattern& x, const char* name) {
    return either({op(both_orders, {c, x}).commutative().versions(7).named(name),
                   op(ordered, {x, c}).versions(7).named(name),
                   op(ordered, {c, x}).versions(7).named(name)});
}

}  // namespace

PassBody merge_constant_arithmetic() {
    const auto chain = [](const char* both_orders, const char* ordered) {
        const auto inner = [&](const char* operators, Pattern first, Pattern second,
                               bool commutes) {
            Pattern p = op(operators, {std::move(first), std::move(second)})
                            .versions(7)
                            .named("inner")
                            .require(read_once(), "the first result is also read elsewhere");
            return commutes ? p.commutative() : p;
        };
        const auto first = either({inner(both_orders, constant("a"), any("x"), true),
                                   inner(ordered, any("x"), constant("a"), false),
                                   inner(ordered, constant("a"), any("x"), false)});
        Pattern outer = with_constant(both_orders, ordered, constant("b"), first, "outer");
        return outer;
    };
    const auto floats = [](const Match& m, PassContext& context) {
        const DType t = m.constant("b").dtype();
        if (t != DType::f32 && t != DType::f64 && t != DType::f16 && t != DType::bf16)
            return declined("the constants are " + std::string(name_of(t)) +
                            ", expected floats: sums and products of integers wrap around");
        return merge(m, context);
    };
    return {.rules = {{.pattern = chain("Add", "Sub"), .rewrite = floats, .near_miss_from = 3},
                      {.pattern = chain("Mul", "Div"), .rewrite = floats, .near_miss_from = 3}}};
}

}  // namespace lapidary::passes
