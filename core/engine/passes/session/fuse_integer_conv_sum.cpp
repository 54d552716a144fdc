// SPDX-License-Identifier: Apache-2.0
//   before:  y = QLinearAdd(QLinearConv(x, w ...), z)
//   after:   y = lapidary::QLinearConvSum(x, w ..., z) with the scales and zero points of z and y
//            behind
// The convolution's result is read once and has the addition's scale; every parameter is constant,
// so that the step needs no other kernel. The sum may be written over z.
#include <algorithm>

#include <lapidary/graph/graph_edit.h>

#include "kernels/integer/quantization_input.h"
#include "ops/byte_sum.h"
#include "passes/session/become_operator.h"
#include "passes/session/constant_input.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// A scale and a zero point, one each.
bool is_pair(const Graph& graph, const Node& n, std::size_t first, DType dtype) {
    if (n.inputs.size() <= first + 1) return false;
    const Tensor *scale = constant_of(graph, n.inputs[first]),
                 *zero = constant_of(graph, n.inputs[first + 1]);
    return scale && zero && scale->size() == 1 && zero->dtype() == dtype && zero->size() == 1;
}

bool is_same(const Graph& graph, ValueId a, ValueId b) {
    return a == b || same_contents(constant_of(graph, a)->reshaped({1}),
                                   constant_of(graph, b)->reshaped({1}));
}

/// The convolution that writes `value`; null where none does.
const Node* convolution_of(const Graph& graph, ValueId value) {
    const Value& v = graph.value(value);
    if (!v.producer) return nullptr;
    const Node& n = graph.node(v.producer);
    const bool is_known =
        n.op_type == "QLinearConv" && (n.domain.empty() || n.domain == "com.microsoft");
    return is_known && n.inputs.size() >= 8 && n.inputs.size() <= 9 && n.outputs.size() == 1
               ? &n
               : nullptr;
}

std::string weight_problem(const Tensor& w, const Tensor& scale) {
    if (!is_byte(w.dtype()) || w.rank() < 3 || w.rank() > 5 || w.size() == 0)
        return "the convolution's weight has no form that the kernel knows";
    if (w.size() / w.dim(0) > most_byte_products)
        return "sums of so many products do not fit 32 bits";
    if (scale.dtype() != DType::f32 || (scale.size() != 1 && scale.size() != w.dim(0)))
        return "the weight's scales are not one or one per filter";
    return {};
}

/// Why a sum cannot be fused with the convolution, whose result has type `dtype`; empty: it can.
std::string convolution_problem(const Graph& graph, const Node& n, DType dtype) {
    if (!graph.value(n.outputs[0]).read_once())
        return "what the convolution gives is read elsewhere too";
    // the kernel adds rows of channels
    if (n.int_attribute("channels_last", 0) == 0)
        return "the convolution's channels do not stand last";
    const DType x = graph.value(n.inputs[0]).type.dtype;
    const Tensor *w = constant_of(graph, n.inputs[3]), *w_scale = constant_of(graph, n.inputs[4]),
                 *w_zero = constant_of(graph, n.inputs[5]);
    if (!is_byte(x) || !is_pair(graph, n, 1, x))
        return "the convolution's input is not quantized by one constant scale and zero point";
    if (!is_pair(graph, n, 6, dtype))
        return "the convolution's result is not quantized by one constant scale and zero point";
    if (!w || !w_scale || !w_zero) return "the convolution's weight is not constant";
    if (std::string problem = weight_problem(*w, *w_scale); !problem.empty()) return problem;
    const std::int64_t filters = w->dim(0);
    if (n.inputs.size() > 8 && n.inputs[8]) {
        const Tensor* bias = constant_of(graph, n.inputs[8]);
        if (!bias || bias->dtype() != DType::i32 || bias->size() != filters)
            return "the convolution's bias is no constant i32 per filter";
    }
    return {};
}

/// Why the sum cannot be fused with any convolution; empty: it can.
std::string sum_problem(const Graph& graph, const Node& sum) {
    const Type& result = graph.value(sum.outputs[0]).type;
    if (!is_byte(result.dtype) || !result.shape)
        return "the sum is not known to hold bytes in a shape of known rank";
    for (const std::size_t pair : {1, 4, 6})
        if (!is_pair(graph, sum, pair, result.dtype))
            return "the sum is not quantized by constants, one scale and zero point each";
    for (const std::size_t operand : {0, 3}) {
        const Type& type = graph.value(sum.inputs[operand]).type;
        if (type.dtype != result.dtype || type.shape != result.shape ||
            std::ranges::any_of(*result.shape, &Dim::is_unknown))
            return "what is added is not known to have the shape and type of the sum";
    }
    return {};
}

void turn_into_sum(PassContext& context, const Node& sum, const Node& conv, std::size_t other) {
    std::vector<ValueId> inputs = conv.inputs;
    inputs.resize(9);
    inputs.insert(inputs.end(), {sum.inputs[other], sum.inputs[other + 1], sum.inputs[other + 2],
                                 sum.inputs[6], sum.inputs[7]});
    const NodeId fused[] = {conv.id, sum.id};
    become_operator(context.edit(), sum.id, "QLinearConvSum", inputs, conv.attributes, fused);
    context.edit().erase(conv.id);
}

Outcome fuse_sum(PassContext& context, NodeId id) {
    const Graph& graph = context.graph();
    const Node sum = graph.node(id);
    std::string problem;  // of the first convolution
    for (const std::size_t own : {std::size_t{0}, std::size_t{3}}) {
        const Node* found = convolution_of(graph, sum.inputs[own]);
        if (!found) continue;
        std::string reason = sum_problem(graph, sum);
        if (reason.empty())
            reason = convolution_problem(graph, *found, graph.value(sum.outputs[0]).type.dtype);
        if (reason.empty() && (!is_same(graph, found->inputs[6], sum.inputs[own + 1]) ||
                               !is_same(graph, found->inputs[7], sum.inputs[own + 2])))
            reason = "the sum reads the convolution's result with another scale or zero point";
        if (reason.empty()) {
            turn_into_sum(context, sum, Node(*found), 3 - own);
            return applied("QLinearConv + QLinearAdd in one kernel");
        }
        if (problem.empty()) problem = std::move(reason);
    }
    return problem.empty() ? not_concerned() : declined(std::move(problem));
}

void fuse_sums(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id)) continue;
        const Node& n = graph.node(id);
        if (n.op_type != "QLinearAdd" || n.domain != "com.microsoft" || n.inputs.size() != 8 ||
            n.outputs.size() != 1)
            continue;
        if (!context.may_rewrite()) return;
        Outcome outcome = fuse_sum(context, id);
        if (outcome.done) context.record(std::move(outcome.text));
        else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text));
    }
}

}  // namespace

PassBody fuse_integer_conv_sum() { return {.run = fuse_sums}; }

}  // namespace lapidary::passes
