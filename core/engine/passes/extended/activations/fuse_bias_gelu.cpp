// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gelu(x + bias)                        bias one value per element of the last axis
//   after:   y = com.microsoft::BiasGelu(x, bias)      FastGelu(x, bias) for the tanh form
// The operators broadcast the bias along the last axis only, hence rank 1 and equal lengths.
#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

std::string bias_problem(const Subject& s) {
    const Scope& scope = s.scope;
    const ValueId x = s.match.value("x"), bias = s.match.value("bias");
    const int rank = scope.rank(bias);
    if (rank != 1)
        return rank < 0 ? "the rank of the bias is not known"
                        : "the bias has rank " + std::to_string(rank) + ", needs 1";
    if (scope.rank(x) < 1) return "the rank of the input is not known";
    const Dim &length = scope.type(bias).shape->at(0), &last = scope.type(x).shape->back();
    if (length.is_unknown() || !(length == last))
        return "the bias has " + to_string(length) + " elements, the last axis of the input " +
               to_string(last);
    return {};
}

std::string kernel_problem(const Subject& s) {
    return missing_kernel(s.scope, s.match.has("tanh") ? "FastGelu" : "BiasGelu",
                          s.scope.dtype(s.match.value("x")));
}

}  // namespace

PassBody fuse_bias_gelu() {
    const auto sum = op("Add", {any("x"), any("bias")})
                         .commutative()
                         .named("sum")
                         .require(bias_problem)
                         .require(read_only_here(), "the sum is also read elsewhere")
                         .require(kernel_problem);
    const auto exact = either(
        {op("com.microsoft::Gelu", {sum}).named("y"),
         op("Gelu", {sum})
             .named("y")
             .where(string_attribute_is("approximate", "none", "none"), "it is no exact GELU")});
    const auto tanh = either(
        {op("com.microsoft::FastGelu", {sum, absent()}).named("tanh"),
         op("Gelu", {sum})
             .named("tanh")
             .where(string_attribute_is("approximate", "tanh", "none"), "it is no GELU by tanh")});
    return {.rules = {{.pattern = exact,
                       .rewrite =
                           [](const Match& m, PassContext& context) {
                               context.replace(m.node_id("y"), "com.microsoft::BiasGelu",
                                               {m.value("x"), m.value("bias")}, {}, m.nodes());
                               return applied("Gelu(x + bias) became BiasGelu");
                           }},
                      {.pattern = tanh, .rewrite = [](const Match& m, PassContext& context) {
                           context.replace(m.node_id("tanh"), "com.microsoft::FastGelu",
                                           {m.value("x"), m.value("bias")}, {}, m.nodes());
                           return applied("the bias before FastGelu went into it");
                       }}}};
}

}  // namespace lapidary::passes
