// SPDX-License-Identifier: Apache-2.0
//   before:  y = Relu(Add(Mul(Cast(ConvInteger(x, w, xz, wz)), scale), bias))
//   after:   y = lapidary::ConvIntegerToFloat(x, w, xz, wz, scale, bias) {activation ...}
// as dynamic quantization writes convolutions. The factor is one number or one per channel, the
// bias constant; Add and activation (Relu, Clip with constant bounds, LeakyRelu, HardSwish,
// Sigmoid) may be missing.
#include <limits>
#include <optional>

#include <lapidary/graph/graph_edit.h>

#include "kernels/integer/quantization_input.h"
#include "passes/session/become_operator.h"
#include "passes/session/constant_input.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

std::string zero_point_problem(const Graph& graph, const Node& n, const Type& x, const Tensor& w) {
    if (n.inputs.size() > 2 && n.inputs[2]) {
        const Type& zero = graph.value(n.inputs[2]).type;
        if (zero.dtype != x.dtype || !zero.is_static() || element_count(zero.static_shape()) != 1)
            return "the input's zero point is not known to be one number";
    }
    if (n.inputs.size() < 4 || !n.inputs[3]) return {};
    const Tensor* zero = constant_of(graph, n.inputs[3]);
    if (!zero || zero->dtype() != w.dtype() || (zero->size() != 1 && zero->size() != w.dim(0)))
        return "the weight's zero points are no constants, one for all or one per filter";
    return {};
}

/// Why the only kernel may not take the convolution; empty: it certainly does.
std::string convolution_problem(const Graph& graph, const Node& n) {
    const Tensor* w = constant_input(graph, n, 1);
    const Type& x = graph.value(n.inputs[0]).type;
    if (!is_byte(x.dtype)) return "its input is not known to hold bytes";
    if (!w) return "its weight is not constant";
    if (!is_byte(w->dtype()) || w->rank() < 3 || w->rank() > 5 || w->size() == 0)
        return "its weight has no form that the kernel knows";
    return zero_point_problem(graph, n, x, *w);
}

/// One number, or one per channel of [N, channels, spatial...].
bool fits_channels(const Graph& graph, ValueId id, std::int64_t channels, std::size_t spatial) {
    const Type& type = graph.value(id).type;
    if (type.dtype != DType::f32 || !type.is_static()) return false;
    const Shape shape = type.static_shape();
    if (shape.size() > spatial + 2) return false;
    const std::int64_t size = element_count(shape);
    return size == 1 || (size == channels && shape.size() > spatial &&
                         shape[shape.size() - spatial - 1] == channels);
}

struct Activated {
    std::string name;
    std::vector<float> parameters;
};

std::optional<Activated> activation_of_node(const Graph& graph, const Node& n) {
    if (!n.domain.empty() || n.outputs.size() != 1) return std::nullopt;
    if (n.op_type == "Relu" || n.op_type == "HardSwish" || n.op_type == "Sigmoid")
        return Activated{n.op_type, {}};
    if (n.op_type == "LeakyRelu") return Activated{n.op_type, {n.float_attribute("alpha", 0.01f)}};
    if (n.op_type != "Clip") return std::nullopt;
    float bounds[2] = {std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()};
    if (n.version < 11)
        return Activated{
            "Clip", {n.float_attribute("min", bounds[0]), n.float_attribute("max", bounds[1])}};
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
    if (n.op_type != op || !n.domain.empty() || n.inputs.size() != 2 || n.outputs.size() != 1 ||
        n.inputs[0] == n.inputs[1])
        return {};
    return n.inputs[0] == value ? n.inputs[1] : n.inputs[0];
}

/// The nodes behind the convolution, each the only reader of the one before: Cast, Mul, perhaps
/// Add, perhaps an activation.
struct Followers {
    std::vector<NodeId> nodes;
    ValueId scale, bias;
    std::optional<Activated> activation;
};

/// Nothing where no Cast to float and Mul follow.
std::optional<Followers> followers_of(const Graph& graph, const Node& conv, const Tensor* weight) {
    const Node* cast = only_reader(graph, conv.outputs[0]);
    if (!cast || cast->op_type != "Cast" || !cast->domain.empty() ||
        cast->int_attribute("to", 0) != static_cast<std::int64_t>(DType::f32))
        return std::nullopt;
    const Node* mul = only_reader(graph, cast->outputs[0]);
    Followers found{
        {cast->id}, mul ? other_operand(*mul, "Mul", cast->outputs[0]) : ValueId(), {}, {}};
    if (!found.scale) return std::nullopt;
    found.nodes.push_back(mul->id);
    if (!weight || weight->rank() < 3) return found;
    ValueId value = mul->outputs[0];
    const Node* next = only_reader(graph, value);
    if (next)
        if (const ValueId added = other_operand(*next, "Add", value);
            added && constant_of(graph, added) &&
            fits_channels(graph, added, weight->dim(0),
                          static_cast<std::size_t>(weight->rank()) - 2)) {
            found.bias = added;
            found.nodes.push_back(next->id);
            value = next->outputs[0];
            next = only_reader(graph, value);
        }
    if (next && next->inputs[0] == value && (found.activation = activation_of_node(graph, *next)))
        found.nodes.push_back(next->id);
    return found;
}

Outcome fuse(PassContext& context, NodeId id) {
    const Graph& graph = context.graph();
    const Node conv = graph.node(id);
    const Tensor* w = constant_input(graph, conv, 1);
    const auto followers = followers_of(graph, conv, w);
    if (!followers) return not_concerned();
    if (std::string problem = convolution_problem(graph, conv); !problem.empty())
        return declined(std::move(problem));
    if (!fits_channels(graph, followers->scale, w->dim(0), static_cast<std::size_t>(w->rank()) - 2))
        return declined("the factor is not known to be one float32 number or one per channel");
    std::vector<ValueId> inputs = conv.inputs;
    inputs.resize(4);
    inputs.push_back(followers->scale);
    if (followers->bias) inputs.push_back(followers->bias);
    std::vector<Attribute> attributes = conv.attributes;
    if (followers->activation) {
        attributes.push_back(attr("activation", AttributeValue(followers->activation->name)));
        attributes.push_back(
            attr("activation_params", AttributeValue(followers->activation->parameters)));
    }
    std::vector<NodeId> fused{id};
    fused.insert(fused.end(), followers->nodes.begin(), followers->nodes.end());
    std::string remark;
    for (NodeId node : fused) remark += (remark.empty() ? "" : " + ") + graph.node(node).op_type;
    const NodeId last = fused.back();
    become_operator(context.edit(), last, "ConvIntegerToFloat", inputs, std::move(attributes),
                    fused);
    for (std::size_t i = fused.size() - 1; i-- > 0;) context.edit().erase(fused[i]);
    return applied(remark + " in one kernel");
}

void fuse_convolutions(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id)) continue;
        const Node& n = graph.node(id);
        if (n.op_type != "ConvInteger" || !n.domain.empty() || n.inputs.size() < 2 ||
            n.outputs.size() != 1)
            continue;
        if (!context.may_rewrite()) return;
        Outcome outcome = fuse(context, id);
        if (outcome.done) context.record(std::move(outcome.text));
        else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text));
    }
}

}  // namespace

PassBody fuse_integer_conv() { return {.run = fuse_convolutions}; }

}  // namespace lapidary::passes
