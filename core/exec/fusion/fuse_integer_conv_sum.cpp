// SPDX-License-Identifier: Apache-2.0
//   before:  y = QLinearAdd(QLinearConv(x, w ...), z)
//   after:   y = lapidary::QLinearConvSum(x, w ..., z) with the scales and zero points of z and y behind
// The convolution's result is read once and has the addition's scale; every parameter is constant, so that the step needs
// no other kernel. The sum may be written over z.
#include <algorithm>

#include <lapidary/graph_edit.h>

#include "exec/fusion/constant_input.h"
#include "exec/fusion/fusion.h"
#include "kernels/integer/quantization_input.h"

namespace lapidary {
namespace {

/// A scale and a zero point, one each.
bool is_pair(const Graph& graph, const Node& n, std::size_t first, DType dtype) {
    if (n.inputs.size() <= first + 1) return false;
    const Tensor *scale = constant_of(graph, n.inputs[first]), *zero = constant_of(graph, n.inputs[first + 1]);
    return scale && zero && scale->dtype() == DType::f32 && scale->size() == 1 && zero->dtype() == dtype && zero->size() == 1;
}

bool is_same(const Graph& graph, ValueId a, ValueId b) { return a == b || same_contents(constant_of(graph, a)->reshaped({1}), constant_of(graph, b)->reshaped({1})); }

/// The convolution that writes `value`, when a sum can go with it.
const Node* convolution_of(const Graph& graph, ValueId value, DType dtype) {
    const Value& v = graph.value(value);
    if (!v.read_once() || !v.producer) return nullptr;
    const Node& n = graph.node(v.producer);
    if (n.op_type != "QLinearConv" || (!n.domain.empty() && n.domain != "com.microsoft") || n.inputs.size() < 8 || n.inputs.size() > 9 || n.outputs.size() != 1) return nullptr;
    if (n.int_attribute("channels_last", 0) == 0) return nullptr;  // the kernel adds rows of channels
    const DType x = graph.value(n.inputs[0]).type.dtype;
    const Tensor *w = constant_of(graph, n.inputs[3]), *w_scale = constant_of(graph, n.inputs[4]), *w_zero = constant_of(graph, n.inputs[5]);
    if (!is_byte(x) || !is_pair(graph, n, 1, x) || !is_pair(graph, n, 6, dtype) || !w || !w_scale || !w_zero) return nullptr;
    if (!is_byte(w->dtype()) || w->rank() < 3 || w->rank() > 5 || w->size() == 0 || w->size() / w->dim(0) > 33025) return nullptr;
    const std::int64_t filters = w->dim(0), groups = n.int_attribute("group", 1);
    if (groups < 1 || filters % groups != 0) return nullptr;
    if (w_scale->dtype() != DType::f32 || (w_scale->size() != 1 && w_scale->size() != filters)) return nullptr;
    if (w_zero->dtype() != w->dtype() || (w_zero->size() != 1 && w_zero->size() != filters)) return nullptr;
    if (n.inputs.size() > 8 && n.inputs[8]) {
        const Tensor* bias = constant_of(graph, n.inputs[8]);
        if (!bias || bias->dtype() != DType::i32 || bias->size() != filters) return nullptr;
    }
    return &n;
}

bool fuse(Graph& graph, GraphEdit& edit, NodeId id) {
    const Node sum = graph.node(id);
    if (sum.op_type != "QLinearAdd" || sum.domain != "com.microsoft" || sum.inputs.size() != 8 || sum.outputs.size() != 1) return false;
    const Type& result = graph.value(sum.outputs[0]).type;
    if (!is_byte(result.dtype) || !result.shape || !is_pair(graph, sum, 1, result.dtype) || !is_pair(graph, sum, 4, result.dtype) || !is_pair(graph, sum, 6, result.dtype)) return false;
    for (const std::size_t own : {std::size_t{0}, std::size_t{3}}) {
        const std::size_t other = 3 - own;
        const Type &own_type = graph.value(sum.inputs[own]).type, &other_type = graph.value(sum.inputs[other]).type;
        const auto is_certain = [](const Dim& d) { return !d.is_unknown(); };
        if (own_type.dtype != result.dtype || other_type.dtype != result.dtype || own_type.shape != result.shape || other_type.shape != result.shape ||
            !std::ranges::all_of(*result.shape, is_certain))
            return false;
        const Node* found = convolution_of(graph, sum.inputs[own], result.dtype);
        if (!found || !is_same(graph, found->inputs[6], sum.inputs[own + 1]) || !is_same(graph, found->inputs[7], sum.inputs[own + 2])) continue;
        const Node conv = *found;
        std::vector<ValueId> inputs = conv.inputs;
        inputs.resize(9);
        inputs.insert(inputs.end(), {sum.inputs[other], sum.inputs[other + 1], sum.inputs[other + 2], sum.inputs[6], sum.inputs[7]});
        for (const Attribute& a : sum.attributes) edit.remove_attribute(id, a.name);
        for (std::size_t i = 0; i < inputs.size(); ++i) edit.set_input(id, i, inputs[i]);
        edit.set_operator(id, std::string(fusion_domain), "QLinearConvSum", 1);
        for (const Attribute& a : conv.attributes) edit.set_attribute(id, a);
        std::vector<NodeId> origins = conv.origins;
        origins.insert(origins.end(), sum.origins.begin(), sum.origins.end());
        edit.erase(conv.id);
        edit.set_origins(id, std::move(origins));
        return true;
    }
    return false;
}

}  // namespace

void fuse_integer_conv_sum(Graph& graph, GraphEdit& edit, const CancelToken& cancel) {
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        cancel.throw_if_cancelled();
        if (graph.is_alive(id)) fuse(graph, edit, id);
    }
}

}  // namespace lapidary
