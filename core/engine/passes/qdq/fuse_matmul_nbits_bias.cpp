// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMulNBits(a, w, scales) + bias     bias of one row
//   after:   y = MatMulNBits(a, w, scales, , , bias)
#include <fmt/format.h>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

std::string nbits_bias_problem(const Subject& s) {
    const std::int64_t n = s.match.node("product").int_attribute("N", 0);
    const ValueId bias = s.match.value("bias");
    if (s.scope.rank(bias) != 1 || s.scope.dim(bias, 0) != n)
        return fmt::format("the bias is {}, needs one row of {}", to_string(s.scope.type(bias)), n);
    return {};
}

bool has_no_bias(const Subject& s) { return s.node->inputs.size() < 6 || !s.node->inputs[5]; }

}  // namespace

PassBody fuse_matmul_nbits_bias() {
    const auto product = op("com.microsoft::MatMulNBits", {any("a"), any("w")})
                             .more_inputs()
                             .named("product")
                             .require(read_once(), "the product is also read elsewhere")
                             .require(has_no_bias, "MatMulNBits has a bias already");
    const auto sum = op("Add", {product, any("bias")})
                         .commutative()
                         .named("y")
                         .require(ExplainedCheck(nbits_bias_problem));
    return {.rules = {{.pattern = sum, .rewrite = [](const Match& m, PassContext& context) {
                           const Node& product = m.node("product");
                           std::vector<ValueId> inputs = product.inputs;
                           inputs.resize(6);
                           inputs[5] = m.value("bias");
                           context.replace(m.root(), "com.microsoft::MatMulNBits",
                                           std::move(inputs),
                                           std::vector<Attribute>(product.attributes), m.nodes());
                           return applied("the bias moved into MatMulNBits");
                       }}}};
}

}  // namespace lapidary::passes
