// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gemm(Transpose(A), B, C), Gemm(A, Transpose(B), C), Transpose(Gemm(A, B))
//   after:   y = Gemm(A, B, C) with transA or transB turned;  for the last Gemm(B, A) with both
//            turned and swapped
// A Transpose that others read too stays, so all its readers must be Gemms. Of a bias under the
// last form only a constant is transposed.
#include <algorithm>

#include "rewrite/constant_math.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

std::vector<Attribute> with_transposes(const Node& gemm, bool a, bool b) {
    std::vector<Attribute> attributes;
    for (const Attribute& old : gemm.attributes)
        if (old.name != "transA" && old.name != "transB") attributes.push_back(old);
    attributes.push_back(attr("transA", a ? 1 : 0));
    attributes.push_back(attr("transB", b ? 1 : 0));
    return attributes;
}

bool swaps_two_axes(const Subject& s) {
    const auto perm = s.node->ints_attribute("perm");
    return perm.empty() || perm == std::vector<std::int64_t>{1, 0};
}

bool only_gemms_read(const Subject& s) {
    const Value& v = s.scope.value(s.value);
    return v.output_uses == 0 && v.captured_by.empty() &&
           std::ranges::all_of(v.uses, [&](const Use& u) {
               const Node& reader = s.scope.node(u.node);
               return reader.domain.empty() && reader.op_type == "Gemm" && u.input < 2;
           });
}

Outcome turn_input(const Match& m, PassContext& context, std::size_t index) {
    const Node& gemm = m.node("gemm");
    std::vector<ValueId> inputs = gemm.inputs;
    inputs[index] = m.value("x");
    bool turned[] = {gemm.int_attribute("transA", 0) != 0, gemm.int_attribute("transB", 0) != 0};
    turned[index] = !turned[index];
    context.replace(m.root(), "Gemm", inputs, with_transposes(gemm, turned[0], turned[1]),
                    m.nodes());
    return applied(std::string("Transpose became ") + (index == 0 ? "transA" : "transB"));
}

Tensor transposed_bias(const Tensor& c) {
    if (c.rank() == 2) return transposed(c, {1, 0});
    return c.rank() == 1 ? c.reshaped({c.dim(0), 1}) : c;
}

}  // namespace

PassBody fuse_gemm_transpose() {
    const auto transpose =
        op("Transpose", {any("x")})
            .named("transpose")
            .where(swaps_two_axes, "it does not swap two axes")
            .require(only_gemms_read, "the transposed value is not only read by Gemm");
    const auto left = op("Gemm", {transpose, any(), maybe(any())}).named("gemm");
    const auto right = op("Gemm", {any(), transpose, maybe(any())}).named("gemm");
    const auto gemm = op("Gemm", {any("a"), any("b"), maybe(any("c"))})
                          .named("gemm")
                          .require(read_once(), "the Gemm's result is also read elsewhere");
    const auto result = op("Transpose", {gemm}).where(swaps_two_axes, "it does not swap two axes");
    return {.rules = {{.pattern = left,
                       .rewrite = [](const Match& m,
                                     PassContext& context) { return turn_input(m, context, 0); }},
                      {.pattern = right,
                       .rewrite = [](const Match& m,
                                     PassContext& context) { return turn_input(m, context, 1); }},
                      {.pattern = result, .rewrite = [](const Match& m, PassContext& context) {
                           const Node& gemm = m.node("gemm");
                           const Tensor* bias = m.constant_or_null("c");
                           if (m.has("c") && !bias)
                               return declined("the Gemm's bias is no constant");
                           const std::vector<Attribute> attributes =
                               with_transposes(gemm, gemm.int_attribute("transB", 0) == 0,
                                               gemm.int_attribute("transA", 0) == 0);
                           std::vector<ValueId> inputs{m.value("b"), m.value("a")};
                           if (bias)
                               inputs.push_back(
                                   context.constant(context.graph().value(m.value("c")).name,
                                                    transposed_bias(*bias)));
                           context.replace(m.root(), "Gemm", inputs, attributes, m.nodes());
                           return applied("Transpose of a Gemm became the Gemm of the transposes");
                       }}}};
}

}  // namespace lapidary::passes
