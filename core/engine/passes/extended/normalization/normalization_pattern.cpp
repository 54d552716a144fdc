// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/normalization/normalization_pattern.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/at.h"
#include "ops/geometry/broadcast.h"
#include "rewrite/constant_math.h"
#include "passes/extended/fused_kernels.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

Pattern inner(const Pattern& p, const std::string& what) {
    return p.require(read_only_here(), "the " + what + " is also read elsewhere");
}
/// `p`, or a Cast of it that only the match reads.
Pattern cast_of(const Pattern& p, const std::string& what) {
    return either({inner(op("Cast", {p}), what), p});
}
Pattern reduce_mean(Pattern of) { return op("ReduceMean", {std::move(of), maybe(constant())}); }

/// variance + epsilon to its root ("deviation") and to one over it ("inverse").
struct Roots {
    Pattern deviation, inverse;
};
Roots roots_of(const Pattern& variance) {
    const Pattern v = cast_of(variance, "variance");
    const Pattern stable =
        either({inner(op("Add", {v, behind("Cast", scalar("epsilon"))}).commutative(),
                      "sum of variance and epsilon"),
                v});
    const Pattern root =
        either({inner(op("Sqrt", {stable}), "deviation"),
                inner(op("Pow", {stable, behind("Cast", scalar(0.5))}), "deviation")});
    const Pattern deviation = cast_of(root, "deviation");
    const auto one_over = [](const Pattern& p) {
        return std::vector{op("Reciprocal", {p}), op("Div", {scalar(1.0), p}),
                           op("Pow", {p, scalar(-1.0)})};
    };
    std::vector<Pattern> inverses;
    for (const Pattern& p : one_over(deviation)) inverses.push_back(inner(p, "inverse deviation"));
    for (const Pattern& p : one_over(stable))
        inverses.push_back(inner(op("Sqrt", {inner(p, "inverse variance")}), "inverse deviation"));
    inverses.push_back(
        inner(op("Pow", {stable, behind("Cast", scalar(-0.5))}), "inverse deviation"));
    return {deviation, cast_of(either(inverses), "inverse deviation")};
}

/// p squared: Pow(p, exponent) or p * p.
Pattern square_of(const Pattern& p, const std::string& what) {
    const Pattern power =
        op("Pow", {p, behind("Cast", scalar("exponent"))})
            .require([](const Subject& s) -> std::string {
                const double e = *scalar_of(&s.match.constant("exponent"));
                return e == 2 ? "" : fmt::format("the exponent is {:g}, needs 2", e);
            });
    return cast_of(either({inner(power, what), inner(op("Mul", {p, p}), what)}), what);
}

NormalizedForms forms_of(const Pattern& x, const Pattern& mean, const Pattern& numerator,
                         const Roots& roots) {
    const std::vector normalized = {op("Div", {numerator, roots.deviation}),
                                    op("Mul", {numerator, roots.inverse}).commutative()};
    std::vector<Pattern> alone;
    for (const Pattern& p : normalized) alone.push_back(inner(p, "normalized value"));
    const Pattern factor =
        inner(op("Mul", {roots.inverse, any("scale")}).commutative(), "scaled inverse deviation");
    const Pattern product =
        inner(op("Mul", {numerator, any("scale")}).commutative(), "scaled difference");
    return {
        .normalized = normalized,
        .scaled =
            {op("Mul", {cast_of(either(alone), "normalized value"), any("scale")}).commutative(),
             op("Mul", {numerator, cast_of(factor, "scaled inverse deviation")}).commutative(),
             op("Div", {product, roots.deviation})},
        .x = x,
        .mean = mean,
        .inverse = roots.inverse};
}

Pattern input() { return either({op("Cast", {any("x")}).named("wide_x"), any("x")}); }

}  // namespace

NormalizedForms layer_normalized() {
    const Pattern x = input();
    const Pattern mean =
        either({reduce_mean(x).named("mean"), reduce_mean(x).named("second_mean")});
    const auto difference = [&](const char* name) {
        return op("Sub", {x, cast_of(mean, "mean")}).named(name);
    };
    const Pattern centered = either({difference("centered"), difference("second_centered")});
    const Pattern reversed = op("Sub", {mean, x}).named("reversed");
    const Pattern wide = behind("Cast", centered);
    const Pattern square =
        either({square_of(wide, "squared difference"), square_of(reversed, "squared difference")});
    // Mean of squares minus squared mean, the cheaper and less exact form.
    const Pattern spread = op("Sub", {reduce_mean(square_of(x, "squared input")).named("variance"),
                                      square_of(mean, "squared mean")});
    const Pattern not_negative = either(
        {inner(op("Relu", {inner(spread, "variance")}), "variance"),
         inner(op("Max", {inner(spread, "variance"), scalar(0.0)}).commutative(), "variance"),
         inner(spread, "variance")});
    const Pattern variance =
        either({inner(reduce_mean(square).named("variance"), "variance"), not_negative});
    return forms_of(x, mean, wide, roots_of(variance));
}

NormalizedForms rms_normalized() {
    const Pattern x = input();
    const Pattern variance =
        inner(reduce_mean(square_of(x, "squared input")).named("variance"), "mean square");
    return forms_of(x, x, x, roots_of(variance));
}

std::optional<std::vector<std::int64_t>> mean_axes(const Scope& scope, const Node& node, int rank) {
    if (rank < 0 || node.int_attribute("keepdims", 1) != 1) return std::nullopt;
    std::vector<std::int64_t> axes = node.ints_attribute("axes");
    if (node.inputs.size() > 1 && node.inputs[1]) {
        axes = to_int64s(*scope.constant(node.inputs[1]));
    }
    if (axes.empty()) {
        if (node.int_attribute("noop_with_empty_axes", 0) != 0) return std::nullopt;
        axes.resize(static_cast<std::size_t>(rank));
        std::iota(axes.begin(), axes.end(), 0);
    }
    for (std::int64_t& a : axes) a = a < 0 ? a + rank : a;
    std::ranges::sort(axes);
    return axes;
}

std::size_t first_axis(const Match& match) {
    return static_cast<std::size_t>(
        mean_axes(match.scope(), match.node("variance"), match.scope().rank(match.value("x")))
            ->front());
}

ExplainedCheck normalization_problem(std::string fused) {
    return [fused = std::move(fused), rank_kept = scalars_keep_rank_of("x"),
            casts = only_float_casts()](const Subject& s) -> std::string {
        const ValueId x = s.match.value("x");
        const int rank = s.scope.rank(x);
        if (rank < 1)
            return rank < 0 ? "the rank of the input is not known" : "the input has no axis";
        std::vector<std::int64_t> trailing;
        for (const char* name : {"mean", "second_mean", "variance"}) {
            if (!s.match.has(name) || s.match.value(name) == x) continue;
            const auto axes = mean_axes(s.scope, s.match.node(name), rank);
            if (!axes)
                return "axes of " + s.match.node(name).describe() +
                       " are not constant, or not kept";
            if (trailing.empty()) {
                for (auto a = rank - static_cast<std::int64_t>(axes->size()); a < rank; ++a)
                    trailing.push_back(a);
                if (axes->empty() || *axes != trailing)
                    return "the mean is not over the last axes of the input, which " + fused +
                           " normalizes";
            }
            if (*axes != trailing) return "the means are over different axes";
        }
        if (!casts(s)) return "a Cast is not from one float type to another";
        if (std::string problem = rank_kept(s); !problem.empty()) return problem;
        if (s.match.has("epsilon") && *scalar_of(&s.match.constant("epsilon")) < 0)
            return "epsilon is negative";
        const DType in = s.scope.dtype(x),
                    out = s.scope.dtype(s.scope.node(s.match.root()).outputs[0]);
        if (in != out)
            return "the input is " + std::string(name_of(in)) + ", the result " +
                   std::string(name_of(out));
        return missing_kernel(s.scope, fused, in);
    };
}

std::string parameter_problem(const Scope& scope, ValueId parameter, ValueId x, std::size_t axis,
                              const std::string& title) {
    const Type &type = scope.type(parameter), &input = scope.type(x);
    if (!type.shape) return "the shape of the " + title + " is not known";
    const SymbolicShape normalized(input.shape->begin() + static_cast<std::ptrdiff_t>(axis),
                                   input.shape->end());
    const bool equal = type.shape->size() == normalized.size() &&
                       std::ranges::equal(*type.shape, normalized, [](const Dim& a, const Dim& b) {
                           return !a.is_unknown() && a == b;
                       });
    if (equal) return {};
    bool spreads = scope.constant(parameter) && type.shape->size() <= input.shape->size();
    for (std::size_t i = 0; spreads && i < type.shape->size(); ++i) {
        const Dim& d = (*type.shape)[type.shape->size() - 1 - i];
        spreads = i >= normalized.size()
                      ? d == Dim(1)
                      : d == Dim(1) || d == normalized[normalized.size() - 1 - i];
    }
    spreads = spreads && std::ranges::all_of(normalized, &Dim::is_known);
    return spreads ? std::string()
                   : "the " + title + " has shape " + to_string(*type.shape) +
                         ", the normalized axes of the input " + to_string(normalized);
}

ExplainedCheck parameter_fits(std::string name, std::string title) {
    return [=](const Subject& s) -> std::string {
        const ValueId parameter = s.match.value(name), x = s.match.value("x");
        const DType want = s.scope.dtype(x), found = s.scope.dtype(parameter);
        if (found != want)
            return "the " + title + " is " + std::string(name_of(found)) + ", the input " +
                   std::string(name_of(want));
        const int rank = s.scope.rank(x);
        const auto axes = mean_axes(s.scope, s.match.node("variance"), rank);
        if (!axes || axes->empty()) return "the axes are not known";
        return parameter_problem(s.scope, parameter, x, static_cast<std::size_t>(axes->front()),
                                 title);
    };
}

ValueId spread_parameter(PassContext& context, ValueId parameter, ValueId x, std::size_t axis) {
    const SymbolicShape& input = *context.graph().value(x).type.shape;
    const SymbolicShape& own = *context.graph().value(parameter).type.shape;
    if (own.size() == input.size() - axis &&
        std::equal(own.begin(), own.end(), input.begin() + static_cast<std::ptrdiff_t>(axis)))
        return parameter;
    Shape shape;
    for (std::size_t i = axis; i < input.size(); ++i) shape.push_back(input[i].value());
    const Tensor& old = *context.scope().constant(parameter);
    Shape from = old.shape();
    while (from.size() > shape.size()) from.erase(from.begin());  // ones
    const std::vector<double> values = to_doubles(old);
    const Shape strides = broadcast_strides(from, shape);
    std::vector<double> out(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t place = 0; place < out.size(); ++place) {
        std::int64_t index = static_cast<std::int64_t>(place), offset = 0;
        for (std::size_t i = shape.size(); i-- > 0;) {
            offset += index % shape[i] * strides[i];
            index /= shape[i];
        }
        out[place] = at(values, offset);
    }
    return context.constant(context.graph().value(parameter).name + "_spread",
                            tensor_of_doubles(old.dtype(), shape, out));
}

ValueId ones_parameter(PassContext& context, ValueId x, std::size_t axis) {
    const Type& input = context.graph().value(x).type;
    Shape shape;
    for (std::size_t i = axis; i < input.shape->size(); ++i) {
        if (!(*input.shape)[i].is_known()) return {};
        shape.push_back((*input.shape)[i].value());
    }
    return context.constant_scalar("ones", input.dtype, 1.0, shape);
}

bool goes_into_parameter(const Scope& scope, ValueId value, std::string_view op_type, ValueId x,
                         std::size_t axis) {
    if (!scope.value(value).read_once()) return false;
    const Use use = scope.value(value).uses[0];
    const Node& reader = scope.node(use.node);
    if (!reader.domain.empty()) return false;
    if (reader.op_type == "Cast") {
        const Value& cast = scope.value(reader.outputs[0]);
        return cast.read_once() && scope.node(cast.uses[0].node).op_type == op_type &&
               goes_into_parameter(scope, reader.outputs[0], op_type, x, axis);
    }
    if (reader.op_type != op_type || reader.inputs.size() != 2) return false;
    // The other rule writes the result in the type of x, or of the value that x is a Cast of.
    const Node* before = scope.producer(x);
    const DType result = scope.dtype(reader.outputs[0]);
    if (result != scope.dtype(x) &&
        !(before && before->op_type == "Cast" && result == scope.dtype(before->inputs[0])))
        return false;
    return parameter_problem(scope, reader.inputs[1 - use.input], x, axis, {}).empty();
}

std::vector<Attribute> normalization_attributes(const Match& match, std::size_t axis) {
    const double epsilon = match.has("epsilon") ? *scalar_of(&match.constant("epsilon")) : 0.0;
    const auto from_end = static_cast<std::int64_t>(axis) - match.scope().rank(match.value("x"));
    std::vector<Attribute> out = {attr("axis", from_end),
                                  attr("epsilon", static_cast<float>(epsilon))};
    if (match.scope().dtype(match.value("x")) == DType::f64)
        out.push_back(attr("stash_type", static_cast<std::int64_t>(DType::f64)));
    return out;
}

Outcome write_normalization(const Match& m, PassContext& context, const std::string& fused,
                            ValueId scale, ValueId bias) {
    const std::size_t axis = first_axis(m);
    const ValueId x = m.value("x");
    std::vector<ValueId> inputs = {
        x, scale ? spread_parameter(context, scale, x, axis) : ones_parameter(context, x, axis)};
    if (!inputs[1]) return declined("without a scale the normalized axes must have a fixed size");
    if (bias) inputs.push_back(spread_parameter(context, bias, x, axis));
    const std::size_t count = m.nodes().size();
    context.replace(m.root(), fused, std::move(inputs), normalization_attributes(m, axis),
                    m.nodes());
    return applied(std::to_string(count) + " operators became " + fused +
                   (scale ? "" : " with a scale of ones"));
}

std::vector<Rule> plain_normalization_rules(const NormalizedForms& forms,
                                            const std::string& fused) {
    std::vector<Pattern> scaled, bare;
    for (const Pattern& p : forms.scaled)
        scaled.push_back(
            p.require(normalization_problem(fused)).require(parameter_fits("scale", "scale")));
    for (const Pattern& p : forms.normalized)
        bare.push_back(p.require(normalization_problem(fused)));
    const bool takes_bias = fused == "LayerNormalization";
    const auto result = [](const Match& m) { return m.scope().node(m.root()).outputs[0]; };
    return {
        {.pattern = either(scaled),
         .rewrite =
             [=](const Match& m, PassContext& context) {
                 if (takes_bias &&
                     goes_into_parameter(m.scope(), result(m), "Add", m.value("x"), first_axis(m)))
                     return not_concerned();
                 return write_normalization(m, context, fused, m.value("scale"), {});
             },
         .near_miss_from = 5},
        {.pattern = either(bare),
         .rewrite =
             [=](const Match& m, PassContext& context) {
                 if (goes_into_parameter(m.scope(), result(m), "Mul", m.value("x"), first_axis(m)))
                     return not_concerned();
                 return write_normalization(m, context, fused, {}, {});
             },
         .near_miss_from = 5}};
}

}  // namespace lapidary::passes
