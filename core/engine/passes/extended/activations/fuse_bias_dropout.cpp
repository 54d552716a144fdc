// SPDX-License-Identifier: Apache-2.0
//   before:  y, mask = Dropout(data + bias, ratio, training)          y may be added to a residual
//   after:   y, mask = com.microsoft::BiasDropout(data, bias, residual, ratio, training)
// bias is of the shape of data or one value per element of its last axis, residual of the shape of
// data.
#include "passes/extended/fused_kernels.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

std::string problem(const Subject& s) {
    const Type &data = s.scope.type(s.match.value("data")),
               &bias = s.scope.type(s.match.value("bias"));
    if (!data.shape || !bias.shape || data.shape->empty())
        return "the shapes of the input and the bias are not both known";
    const bool along_last = bias.shape->size() == 1 && !bias.shape->front().is_unknown() &&
                            bias.shape->front() == data.shape->back();
    if (!along_last && !same_shape(data, bias))
        return "the bias has shape " + to_string(*bias.shape) + ", the input " +
               to_string(*data.shape);
    if (s.match.has("residual") && !same_shape(data, s.scope.type(s.match.value("residual"))))
        return "the residual has not the shape of the input, " + to_string(*data.shape);
    return missing_kernel(s.scope, "BiasDropout", data.dtype);
}

/// The Dropout result only goes into a sum with a value of its own shape.
bool goes_into_residual(const Match& m) {
    const Value& y = m.scope().value(m.value("dropped"));
    if (!y.read_once() || m.scope().node(y.uses[0].node).op_type != "Add") return false;
    const Node& add = m.scope().node(y.uses[0].node);
    return same_shape(m.scope().type(add.inputs[1 - y.uses[0].input]), m.type("data"));
}

Outcome write(const Match& m, PassContext& context) {
    const Node& dropout = m.node("dropped");
    std::vector<ValueId> outputs = {context.graph().node(m.root()).outputs[0]};
    if (dropout.outputs.size() > 1 && dropout.outputs[1]) outputs.push_back(dropout.outputs[1]);
    std::vector<ValueId> inputs = {m.value("data"), m.value("bias"), m.value_or_none("residual"),
                                   m.value_or_none("ratio"), m.value_or_none("training")};
    while (!inputs.back()) inputs.pop_back();
    std::vector<Attribute> attributes;
    if (dropout.has_attribute("seed"))
        attributes.push_back(attr("seed", dropout.int_attribute("seed", 0)));
    context.replace_several(outputs, "com.microsoft::BiasDropout", std::move(inputs),
                            std::move(attributes), m.nodes());
    return applied(m.has("residual") ? "bias, Dropout and residual became BiasDropout"
                                     : "bias and Dropout became BiasDropout");
}

}  // namespace

PassBody fuse_bias_dropout() {
    const auto sum = op("Add", {any("data"), any("bias")})
                         .commutative()
                         .require(read_only_here(), "the sum is also read elsewhere");
    const auto dropout = op("Dropout", {sum, maybe(any("ratio")), maybe(any("training"))})
                             .named("dropped")
                             .versions(12);
    const auto residual =
        op("Add", {dropout.require(read_only_here(), "the Dropout result is also read elsewhere"),
                   any("residual")})
            .commutative()
            .require(problem);
    return {.rules = {{.pattern = residual, .rewrite = write, .near_miss_from = 3},
                      {.pattern = dropout.require(problem),
                       .rewrite = [](const Match& m, PassContext& context) {
                           return goes_into_residual(m) ? not_concerned() : write(m, context);
                       }}}};
}

}  // namespace lapidary::passes
