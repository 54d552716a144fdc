// SPDX-License-Identifier: Apache-2.0
//   before:  y = x + 0   also 0 + x, x - 0, x * 1, 1 * x, x / 1, x ** 1, x or false, x and true, x
//            xor false
//   after:   x
// The constant is one element, which does not add axes to x. (A bias of zeros stays: without it a
// normalization or a projection would be harder to recognise.)
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

std::optional<double> neutral_element(std::string_view op_type) {
    if (op_type == "Add" || op_type == "Sub" || op_type == "Or" || op_type == "Xor") return 0;
    return 1;  // Mul, Div, Pow, And
}

bool is_filled_with(const Tensor& t, double value) {
    if (t.size() != 1 || t.dtype() == DType::string || t.dtype() == DType::complex64 ||
        t.dtype() == DType::complex128)
        return false;
    return std::ranges::all_of(to_doubles(t), [value](double v) { return v == value; });
}

bool enlarges(const Shape& constant, const Type& type) {
    if (constant.empty()) return false;
    if (!type.shape || constant.size() > type.shape->size()) return true;
    const std::size_t skip = type.shape->size() - constant.size();
    for (std::size_t i = 0; i < constant.size(); ++i)
        if (constant[i] != 1 && !((*type.shape)[skip + i] == Dim(constant[i]))) return true;
    return false;
}

}  // namespace

PassBody eliminate_noop_arithmetic() {
    const auto either_order =
        op("Add|Mul|And|Or|Xor", {constant("c"), any("x")}).commutative().versions(7).named("y");
    const auto right_only = op("Sub|Div|Pow", {any("x"), constant("c")}).versions(7).named("y");
    return {.rules = {{.pattern = either({either_order, right_only}),
                       .rewrite = [](const Match& m, PassContext& context) {
                           const Node& y = m.node("y");
                           const Tensor& c = m.constant("c");
                           if (!is_filled_with(c, *neutral_element(y.op_type)))
                               return not_concerned();
                           const std::string text = y.op_type + " with " +
                                                    (*neutral_element(y.op_type) == 0 ? "0" : "1") +
                                                    " changes nothing";
                           if (enlarges(c.shape(), m.type("x")))
                               return declined(text + ", but the constant of shape " +
                                               to_string(c.shape()) + " may enlarge " +
                                               to_string(m.type("x")));
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied(text) : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
