// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(DequantizeLinear(x, xs, xz), DequantizeLinear(w, ws, wz), bias)
//   after:   y = lapidary::ConvIntegerToFloat(x, w, xz, wz, xs * ws, bias)
// A convolution of integers whose result is wanted as float: nothing rounds it, so that no
// QLinearConv took it. x has one scale, w one or one per filter; w is constant. With the channels
// last where x was transposed from there:
//   before:  y = Conv(DequantizeLinear(Transpose(x)), ...)
//   after:   y = Transpose(lapidary::ConvIntegerToFloat(x, ...) {channels_last: 1})
#include <optional>
#include <vector>

#include <lapidary/graph/graph_edit.h>

#include "kernels/activation.h"
#include "kernels/integer/quantization_input.h"
#include "ops/byte_sum.h"
#include "passes/basic/folding/constant_evaluation.h"
#include "passes/carried_call.h"
#include "passes/session/become_operator.h"
#include "passes/session/channels_last_regions.h"
#include "passes/session/constant_input.h"
#include "passes/session/joined_origins.h"
#include "rewrite/pass.h"
#include "rewrite/session_domain.h"

namespace lapidary::passes {
namespace {

bool is_plain_or_fused_conv(const Node& n) {
    return n.outputs.size() == 1 && n.inputs.size() >= 2 &&
           ((n.op_type == "Conv" && n.domain.empty()) ||
            (n.op_type == "FusedConv" && n.domain == "com.microsoft"));
}

/// The DequantizeLinear that writes the value; null where none does.
const Node* dequantizer_of(const Graph& graph, ValueId value) {
    const Value& v = graph.value(value);
    if (v.kind != ValueKind::node_output) return nullptr;
    const Node& n = graph.node(v.producer);
    const bool is_known =
        n.op_type == "DequantizeLinear" && (n.domain.empty() || n.domain == "com.microsoft");
    return is_known && n.inputs.size() >= 2 ? &n : nullptr;
}

/// True if scale and zero point are constants of the same number of elements, 1 or `most`.
bool has_constant_parameters(const Graph& graph, const Node& n, std::int64_t most) {
    const Tensor* scale = constant_input(graph, n, 1);
    const auto fits = [&](const Tensor& t) { return t.size() == 1 || t.size() == most; };
    if (!scale || scale->dtype() != DType::f32 || !fits(*scale)) return false;
    if (n.inputs.size() < 3 || !n.inputs[2]) return true;
    const Tensor* zero = constant_input(graph, n, 2);
    return zero && is_byte(zero->dtype()) && fits(*zero);
}

/// Why the convolution is not computed in integers; empty: it is.
std::string integer_problem(const Graph& graph, const Node& conv, const Node& x, const Node& w) {
    const Tensor* weight = constant_input(graph, w, 0);
    if (!weight || !is_byte(weight->dtype()) || weight->rank() < 3 || weight->rank() > 5 ||
        weight->size() == 0)
        return "its weight has no form that the kernel knows";
    if (!is_byte(graph.value(x.inputs[0]).type.dtype))
        return "its input is not known to hold bytes";
    if (!has_constant_parameters(graph, x, 1))
        return "its input has not one constant scale and zero point";
    const bool is_per_filter =
        w.int_attribute("axis", 1) == 0 || constant_input(graph, w, 1)->size() == 1;
    if (!has_constant_parameters(graph, w, weight->dim(0)) || !is_per_filter ||
        w.int_attribute("block_size", 0) != 0)
        return "the weight's scales and zero points are not one or one per filter";
    if (weight->size() / weight->dim(0) > most_byte_products)
        return "sums of so many products may leave 32 bits";
    if (conv.int_attribute("group", 1) != 1) return "its filters are in groups";
    if (conv.inputs.size() > 3 && conv.inputs[3]) return "another tensor is added to it";
    if (!activation_of(conv.string_attribute("activation", ""),
                       conv.floats_attribute("activation_params")))
        return "the kernel has no such activation";
    return {};
}

/// One factor of the sums per filter.
Tensor factors_of(const Graph& graph, const Node& x, const Node& w, std::int64_t filters) {
    const float x_scale = constant_input(graph, x, 1)->data<float>()[0];
    const auto w_scales = constant_input(graph, w, 1)->data<float>();
    Tensor factors(DType::f32, {filters});
    for (std::size_t n = 0; n < static_cast<std::size_t>(filters); ++n)
        factors.mutable_data<float>()[n] = x_scale * w_scales[w_scales.size() == 1 ? 0 : n];
    return factors;
}

/// The bias as a float constant, dequantized if necessary. Nothing: it is computed at run time.
std::optional<ValueId> float_bias(PassContext& context, const Node& conv, std::int64_t filters) {
    const Graph& graph = context.graph();
    if (conv.inputs.size() < 3 || !conv.inputs[2]) return ValueId();
    const ValueId bias = conv.inputs[2];
    if (const Tensor* known = constant_of(graph, bias))
        return known->dtype() == DType::f32 && known->size() == filters ? std::optional(bias)
                                                                        : std::nullopt;
    const Node* stored = dequantizer_of(graph, bias);
    if (!stored) return std::nullopt;
    std::vector<const Tensor*> inputs;
    for (ValueId input : stored->inputs) {
        inputs.push_back(constant_of(graph, input));
        if (input && !inputs.back()) return std::nullopt;
    }
    Evaluation made = evaluate(graph, *stored, inputs, context.options().limits, context.cancel());
    if (!made.problem.empty() || made.outputs.at(0).size() != filters) return std::nullopt;
    return context.constant(graph.value(bias).name, std::move(made.outputs[0]));
}

/// The input of the Transpose that moved the value's channels to the second axis; empty: there is
/// none.
ValueId channels_last_source(const Graph& graph, ValueId value) {
    const Value& v = graph.value(value);
    if (v.kind != ValueKind::node_output || !v.type.has_shape()) return {};
    const Node& n = graph.node(v.producer);
    const bool turns =
        n.op_type == "Transpose" && n.domain.empty() &&
        n.ints_attribute("perm") == to_channels_first(static_cast<int>(v.type.shape->size()));
    return turns ? n.inputs[0] : ValueId();
}

Outcome fuse_dequantized(PassContext& context, NodeId id) {
    const Graph& graph = context.graph();
    const Node conv = graph.node(id);
    const Node *const x = dequantizer_of(graph, conv.inputs[0]), *const w = dequantizer_of(
                                                                     graph, conv.inputs[1]);
    if (!x || !w) return not_concerned();
    if (std::string problem = integer_problem(graph, conv, *x, *w); !problem.empty())
        return declined(std::move(problem));
    const Node from_x = *x, from_w = *w;
    const std::int64_t filters = constant_input(graph, from_w, 0)->dim(0);
    const auto bias = float_bias(context, conv, filters);
    if (!bias) return declined("its bias is no constant of one number per filter");
    const auto zero_of = [](const Node& n) {
        return n.inputs.size() > 2 ? n.inputs[2] : ValueId();
    };
    std::vector<ValueId> inputs{
        from_x.inputs[0], from_w.inputs[0], zero_of(from_x), zero_of(from_w),
        context.constant(graph.value(from_w.inputs[1]).name + "_times_input",
                         factors_of(graph, from_x, from_w, filters))};
    if (*bias) inputs.push_back(*bias);
    const std::vector<NodeId> fused{from_x.id, from_w.id, id};
    std::vector<Attribute> attributes = conv.attributes;
    attributes.push_back(attr("operators", "DequantizeLinear + Conv"));
    const ValueId last = graph.value(conv.outputs[0]).type.has_shape()
                             ? channels_last_source(graph, from_x.inputs[0])
                             : ValueId();
    if (!last) {
        become_operator(context.edit(), id, "ConvIntegerToFloat", inputs, std::move(attributes),
                        fused);
    } else {
        const Value y = graph.value(conv.outputs[0]);
        const std::vector<std::int64_t> first =
            to_channels_first(static_cast<int>(y.type.shape->size()));
        NodeSpec spec;
        spec.op_type = "ConvIntegerToFloat";
        spec.domain = session_domain;
        spec.version = 1;
        spec.name = conv.name;
        spec.inputs = std::move(inputs);
        spec.inputs[0] = last;
        spec.attributes = std::move(attributes);
        spec.attributes.push_back(attr("channels_last", 1));
        spec.outputs = {
            context.edit().add_value(y.name + "_channels_last", carried_type(y.type, first))};
        const ValueId turned = spec.outputs[0];
        context.edit().set_origins(context.edit().add_node(std::move(spec)),
                                   joined_origins(graph, fused));
        context.replace(id, "Transpose", {turned}, {attr("perm", first)});
    }
    std::vector<NodeId> read = fused;  // and what gave them constants and layout
    for (ValueId value : {conv.inputs.size() > 2 ? conv.inputs[2] : ValueId(), from_x.inputs[0]})
        if (value && graph.value(value).kind == ValueKind::node_output)
            read.push_back(graph.value(value).producer);
    context.erase_unused(read);
    return applied("DequantizeLinear + " + conv.op_type + " in one kernel");
}

void fuse_dequantized_convolutions(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || !is_plain_or_fused_conv(graph.node(id))) continue;
        if (!context.may_rewrite()) return;
        Outcome outcome = fuse_dequantized(context, id);
        if (outcome.done) context.record(std::move(outcome.text));
        else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text));
    }
}

}  // namespace

PassBody fuse_dequantized_conv() { return {.run = fuse_dequantized_convolutions}; }

}  // namespace lapidary::passes
