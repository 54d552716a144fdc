// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(Add(Mul(Cast(ConvInteger(x, w, xz, wz)), scale), bias))
//   after:   y = lapidary::ConvIntegerToFloat(x, w, xz, wz, scale, bias) {activation ...}
// as dynamic quantization writes convolutions. The factor is one number or one per channel, the bias constant; Add and
// activation (Relu, Clip with constant bounds, LeakyRelu, HardSwish, Sigmoid) may be missing.
#include <limits>
#include <optional>

#include <lapidary/graph_edit.h>

#include "exec/fusion/constant_input.h"
#include "exec/fusion/fusion.h"
#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

/// True when the kernel takes the convolution for certain: there is no other one.
bool is_taken(const Graph& graph, const Node& n) {
    if (n.op_type != "ConvInteger" || !n.domain.empty() || n.inputs.size() < 2 || n.outputs.size() != 1) return false;
    const Tensor* w = constant_of(graph, n.inputs[1]);
    const Type& x = graph.value(n.inputs[0]).type;
    if (!is_byte(x.dtype) || !w || !is_byte(w->dtype()) || w->rank() < 3 || w->rank() > 5 || w->size() == 0) return false;
    const std::int64_t groups = n.int_attribute("group", 1);
    if (groups < 1 || w->dim(0) % groups != 0) return false;
    if (n.inputs.size() > 2 && n.inputs[2]) {
        const Type& zero = graph.value(n.inputs[2]).type;
        if (zero.dtype != x.dtype || !zero.is_static() || element_count(zero.static_shape()) != 1) return false;
    }
    if (n.inputs.size() < 4 || !n.inputs[3]) return true;
    const Tensor* zero = constant_of(graph, n.inputs[3]);
    return zero && zero->dtype() == w->dtype() && (zero->size() == 1 || zero->size() == w->dim(0));
}

/// One number, or one per channel of [N, channels, spatial...].
bool fits_channels(const Graph& graph, ValueId id, std::int64_t channels, std::size_t spatial) {
    const Type& type = graph.value(id).type;
    if (!id || type.dtype != DType::f32 || !type.is_static()) return false;
    const Shape shape = type.static_shape();
    if (shape.size() > spatial + 2) return false;
    const std::int64_t size = element_count(shape);
    return size == 1 || (size == channels && shape.size() > spatial && shape[shape.size() - spatial - 1] == channels);
}

struct Activated {
    std::string name;
    std::vector<float> parameters;
};

std::optional<Activated> activation_of_node(const Graph& graph, const Node& n) {
    if (!n.domain.empty() || n.outputs.size() != 1) return std::nullopt;
    if (n.op_type == "Relu" || n.op_type == "HardSwish" || n.op_type == "Sigmoid") return Activated{n.op_type, {}};
    if (n.op_type == "LeakyRelu") return Activated{n.op_type, {n.float_attribute("alpha", 0.01f)}};
    if (n.op_type != "Clip") return std::nullopt;
    float bounds[2] = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
    if (n.version < 11) return Activated{"Clip", {n.float_attribute("min", bounds[0]), n.float_attribute("max", bounds[1])}};
    for (std::size_t i = 0; i < 2; ++i) {
        if (n.inputs.size() <= i + 1 || !n.inputs[i + 1]) continue;
        const Tensor* bound = constant_of(graph, n.inputs[i + 1]);
        if (!bound || bound->dtype() != DType::f32 || bound->size() != 1) return std::nullopt;
        bounds[i] = bound->data<float>()[0];
    }
    return Activated{"Clip", {bounds[0], bounds[1]}};
}

/// The node that alone reads `value`, none where there are others.
const Node* only_reader(const Graph& graph, ValueId value) {
    const Value& v = graph.value(value);
    return v.read_once() ? &graph.node(v.uses[0].node) : nullptr;
}

/// The other operand of a binary node of two inputs.
ValueId other_operand(const Node& n, const char* op, ValueId value) {
    if (n.op_type != op || !n.domain.empty() || n.inputs.size() != 2 || n.outputs.size() != 1 || n.inputs[0] == n.inputs[1]) return {};
    return n.inputs[0] == value ? n.inputs[1] : n.inputs[0];
}

void fuse(Graph& graph, GraphEdit& edit, NodeId id) {
    const Node conv = graph.node(id);
    if (!is_taken(graph, conv)) return;
    const Tensor& w = *constant_of(graph, conv.inputs[1]);
    const std::int64_t channels = w.dim(0);
    const std::size_t spatial = static_cast<std::size_t>(w.rank()) - 2;
    const Node* next = only_reader(graph, conv.outputs[0]);
    if (!next || next->op_type != "Cast" || !next->domain.empty() || next->int_attribute("to", 0) != static_cast<std::int64_t>(DType::f32)) return;
    std::vector<NodeId> chain{next->id};
    ValueId value = next->outputs[0];
    next = only_reader(graph, value);
    const ValueId scale = next ? other_operand(*next, "Mul", value) : ValueId();
    if (!scale || !fits_channels(graph, scale, channels, spatial)) return;
    chain.push_back(next->id);
    value = next->outputs[0];
    ValueId bias;
    next = only_reader(graph, value);
    if (next)
        if (const ValueId added = other_operand(*next, "Add", value); added && constant_of(graph, added) && fits_channels(graph, added, channels, spatial)) {
            bias = added;
            chain.push_back(next->id);
            value = next->outputs[0];
            next = only_reader(graph, value);
        }
    std::optional<Activated> activation;
    if (next && next->inputs[0] == value && (activation = activation_of_node(graph, *next))) chain.push_back(next->id);

    std::vector<ValueId> inputs = conv.inputs;
    inputs.resize(4);
    inputs.push_back(scale);
    if (bias) inputs.push_back(bias);
    const Node last = graph.node(chain.back());
    for (const Attribute& a : last.attributes) edit.remove_attribute(last.id, a.name);
    for (std::size_t i = 0; i < std::max(inputs.size(), last.inputs.size()); ++i) edit.set_input(last.id, i, i < inputs.size() ? inputs[i] : ValueId());
    edit.set_operator(last.id, std::string(fusion_domain), "ConvIntegerToFloat", 1);
    for (const Attribute& a : conv.attributes) edit.set_attribute(last.id, a);
    if (activation) {
        edit.set_attribute(last.id, {"activation", activation->name, {}, {}});
        edit.set_attribute(last.id, {"activation_params", activation->parameters, {}, {}});
    }
    std::vector<NodeId> origins = conv.origins;
    for (const NodeId link : chain) origins.insert(origins.end(), graph.node(link).origins.begin(), graph.node(link).origins.end());
    for (std::size_t i = chain.size() - 1; i-- > 0;) edit.erase(chain[i]);
    edit.erase(id);
    edit.set_origins(last.id, std::move(origins));
}

}  // namespace

void fuse_integer_conv(Graph& graph, GraphEdit& edit, const CancelToken& cancel) {
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        cancel.throw_if_cancelled();
        if (graph.is_alive(id)) fuse(graph, edit, id);
    }
}

}  // namespace lapidary
