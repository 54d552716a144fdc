// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gemm(A, B) + C            Sum of two or Add, either order; Gemm without a bias
//   after:   y = Gemm(A, B, C) {beta: 1}
// Gemm broadcasts C one way only: its shape must be (M or 1, N or 1), N, 1 or scalar, provably.
#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

std::string bias_problem(const Type& bias, const Type& product) {
    const auto wrong = [&] {
        return "the other operand has shape " +
               (bias.shape ? to_string(*bias.shape) : std::string("?")) +
               ", which does not broadcast to the product's " +
               (product.shape ? to_string(*product.shape) : std::string("?"));
    };
    if (!bias.shape || !product.shape || product.shape->size() != 2 || bias.shape->size() > 2)
        return wrong();
    const std::size_t skip = 2 - bias.shape->size();
    for (std::size_t i = 0; i < bias.shape->size(); ++i)
        if (!((*bias.shape)[i] == Dim(1)) &&
            !surely_equal((*bias.shape)[i], (*product.shape)[skip + i]))
            return wrong();
    return {};
}

}  // namespace

PassBody fuse_gemm_sum() {
    const auto gemm = op("Gemm", {any("a"), any("b"), absent()})
                          .named("gemm")
                          .require(read_once(), "the Gemm's result is also read elsewhere");
    const auto sum = op("Sum|Add", {gemm, any("c")})
                         .commutative()
                         .named("y")
                         .require(is_float(), "the element type is no float");
    return {.rules = {{.pattern = sum, .rewrite = [](const Match& m, PassContext& context) {
                           if (std::string problem = bias_problem(m.type("c"), m.type("gemm"));
                               !problem.empty())
                               return declined(std::move(problem));
                           std::vector<Attribute> attributes;
                           for (const Attribute& a : m.node("gemm").attributes)
                               if (a.name != "beta") attributes.push_back(a);
                           attributes.push_back(attr("beta", 1.0f));
                           context.replace(m.root(), "Gemm",
                                           {m.value("a"), m.value("b"), m.value("c")}, attributes,
                                           m.nodes());
                           return applied("the sum became the Gemm's third input");
                       }}}};
}

}  // namespace lapidary::passes
