// SPDX-License-Identifier: Apache-2.0
//   before:  p = DynamicQuantizeMatMul(x, w1 ...), q = DynamicQuantizeMatMul(x, w2 ...)
//   after:   x8, scale, zero = DynamicQuantizeLinear(x), p = MatMulIntegerToFloat(x8, w1, scale ...), q = ...
// and
//   before:  y = BiasGelu(DynamicQuantizeMatMul(x, w ...), bias), y = Relu(MatMulIntegerToFloat(...)) ...
//   after:   y = lapidary::DynamicQuantizeMatMul(x, w ..., bias) {activation ...}
// The weight and its parameters are constant and the product is read once.
#include <algorithm>
#include <optional>

#include <lapidary/graph_edit.h>

#include "exec/fusion/constant_input.h"
#include "exec/fusion/fusion.h"

namespace lapidary {
namespace {

bool has_input(const Node& n, std::size_t input) { return input < n.inputs.size() && n.inputs[input]; }

/// Where an 8-bit product with a float result has its parameters.
struct Form {
    std::size_t b_scale, b_zero, bias;
};

std::optional<Form> form_of(const Node& n) {
    if (n.domain != "com.microsoft" || n.outputs.size() != 1) return std::nullopt;
    if (n.op_type == "DynamicQuantizeMatMul") return Form{2, 3, 4};
    if (n.op_type == "MatMulIntegerToFloat") return Form{3, 5, 6};
    return std::nullopt;
}

/// Columns of the constant weight when everything that belongs to it is constant, per tensor or per column; else 0.
std::int64_t columns_of(const Graph& graph, const Node& n, const Form& form) {
    const Tensor *b = constant_input(graph, n, 1), *scale = constant_input(graph, n, form.b_scale);
    if (!b || !scale || b->rank() != 2 || b->dim(0) > 33025 || (b->dtype() != DType::u8 && b->dtype() != DType::i8)) return 0;
    const std::int64_t columns = b->dim(1);
    const auto fits = [&](const Tensor& t, DType dtype) { return t.dtype() == dtype && (t.size() == 1 || (t.size() == columns && t.rank() > 0 && t.shape().back() == columns)); };
    if (!fits(*scale, DType::f32)) return 0;
    for (const auto& [input, dtype] : {std::pair{form.b_zero, b->dtype()}, std::pair{form.bias, DType::f32}}) {
        if (!has_input(n, input)) continue;
        const Tensor* t = constant_input(graph, n, input);
        if (!t || !fits(*t, dtype)) return 0;
    }
    return columns;
}

struct Follower {
    const char* activation = nullptr;
    float alpha = 0;
    bool has_bias = false;
};

std::optional<Follower> follower_of(const Node& n) {
    const std::string& op = n.op_type;
    const bool has_bias = has_input(n, 1);
    if (n.outputs.size() != 1) return std::nullopt;
    if (n.domain == "com.microsoft") {
        if (op == "BiasGelu" && has_bias) return Follower{"Gelu", 0, true};
        if (op == "Gelu") return Follower{"Gelu"};
        if (op == "FastGelu") return Follower{"FastGelu", 0, has_bias};
        if (op == "QuickGelu") return Follower{"QuickGelu", n.float_attribute("alpha", 1.702f)};
        return std::nullopt;
    }
    if (!n.domain.empty()) return std::nullopt;
    if (op == "Gelu") return Follower{n.string_attribute("approximate", "none") == "tanh" ? "FastGelu" : "Gelu"};
    if (op == "Relu") return Follower{"Relu"};
    return std::nullopt;
}

void take_in_follower(Graph& graph, GraphEdit& edit, NodeId id) {
    const Node product = graph.node(id);
    const auto form = form_of(product);
    if (!form) return;
    const DType a = graph.value(product.inputs[0]).type.dtype;
    const bool is_dynamic = product.op_type == "DynamicQuantizeMatMul";
    if (is_dynamic ? a != DType::f32 : a != DType::u8 && a != DType::i8) return;
    if (!is_dynamic) {  // one scale and zero point of A, known to be one
        for (const std::size_t input : {std::size_t{2}, std::size_t{4}}) {
            if (!has_input(product, input)) continue;
            const Type& t = graph.value(product.inputs[input]).type;
            if (!t.is_static() || element_count(t.static_shape()) != 1) return;
        }
        if (graph.value(product.inputs[2]).type.dtype != DType::f32) return;
    }
    const std::int64_t columns = columns_of(graph, product, *form);
    const Value& result = graph.value(product.outputs[0]);
    if (columns == 0 || !result.read_once() || result.uses[0].input != 0) return;
    const Node next = graph.node(result.uses[0].node);
    const auto follower = follower_of(next);
    if (!follower) return;
    std::vector<ValueId> inputs = product.inputs;
    inputs.resize(form->bias + 1);
    if (follower->has_bias) {
        const Tensor* bias = constant_input(graph, next, 1);
        if (inputs[form->bias] || !bias || bias->dtype() != DType::f32 || bias->size() != columns || bias->rank() != 1) return;
        inputs[form->bias] = next.inputs[1];
    }
    for (const Attribute& attribute : next.attributes) edit.remove_attribute(next.id, attribute.name);
    for (std::size_t i = 0; i < std::max(inputs.size(), next.inputs.size()); ++i) edit.set_input(next.id, i, i < inputs.size() ? inputs[i] : ValueId());
    edit.set_operator(next.id, std::string(fusion_domain), product.op_type, 1);
    edit.set_attribute(next.id, {"activation", std::string(follower->activation), {}, {}});
    edit.set_attribute(next.id, {"activation_alpha", follower->alpha, {}, {}});
    std::vector<NodeId> origins = product.origins;
    origins.insert(origins.end(), next.origins.begin(), next.origins.end());
    edit.erase(id);
    edit.set_origins(next.id, std::move(origins));
}

/// Quantizes `x` once for all DynamicQuantizeMatMul that read it.
void share_quantization(Graph& graph, GraphEdit& edit, ValueId x) {
    std::vector<NodeId> readers;
    for (const Use& use : graph.value(x).uses) {
        const Node& n = graph.node(use.node);
        if (n.op_type == "DynamicQuantizeMatMul" && n.domain == "com.microsoft" && use.input == 0) readers.push_back(use.node);
    }
    const Type type = graph.value(x).type;
    if (readers.size() < 2 || type.dtype != DType::f32) return;
    Type bytes = type;
    bytes.dtype = DType::u8;
    const ValueId quantized = edit.add_value("", bytes), scale = edit.add_value("", Type::tensor(DType::f32, SymbolicShape{})), zero = edit.add_value("", Type::tensor(DType::u8, SymbolicShape{}));
    NodeSpec spec;
    spec.op_type = "DynamicQuantizeLinear";
    spec.inputs = {x};
    spec.outputs = {quantized, scale, zero};
    spec.version = 11;
    const NodeId quantize = edit.add_node(std::move(spec));
    std::vector<NodeId> origins;
    for (NodeId id : readers) {
        const Node n = graph.node(id);
        const auto old = [&](std::size_t i) { return i < n.inputs.size() ? n.inputs[i] : ValueId(); };
        const ValueId inputs[] = {quantized, old(1), scale, old(2), zero, old(3), old(4)};
        for (std::size_t i = 0; i < std::size(inputs); ++i) edit.set_input(id, i, inputs[i]);
        edit.set_operator(id, "com.microsoft", "MatMulIntegerToFloat", 1);
        origins.insert(origins.end(), n.origins.begin(), n.origins.end());
    }
    edit.set_origins(quantize, std::move(origins));
}

}  // namespace

void fuse_integer_product(Graph& graph, GraphEdit& edit, const CancelToken& cancel) {
    const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
    for (NodeId id : nodes) {
        cancel.throw_if_cancelled();
        if (graph.is_alive(id) && graph.node(id).op_type == "DynamicQuantizeMatMul" && has_input(graph.node(id), 0)) share_quantization(graph, edit, graph.node(id).inputs[0]);
    }
    for (NodeId id : nodes) {
        cancel.throw_if_cancelled();
        if (graph.is_alive(id)) take_in_follower(graph, edit, id);
    }
}

}  // namespace lapidary
