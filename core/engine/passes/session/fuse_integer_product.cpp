// SPDX-License-Identifier: Apache-2.0
//   before:  p = DynamicQuantizeMatMul(x, w1 ...), q = DynamicQuantizeMatMul(x, w2 ...)
//   after:   x8, scale, zero = DynamicQuantizeLinear(x), p = MatMulIntegerToFloat(x8, w1, scale
//            ...), q = ...
// and
//   before:  y = BiasGelu(DynamicQuantizeMatMul(x, w ...), bias), y =
//            Relu(MatMulIntegerToFloat(...)) ...
//   after:   y = lapidary::DynamicQuantizeMatMul(x, w ..., bias) {activation ...}
// Its kernel also takes an input 5, which is added before the activation (residual).
// The weight and its parameters are constant and the product is read once.
#include <algorithm>
#include <optional>

#include <lapidary/graph/graph_edit.h>

#include "ops/byte_sum.h"
#include "passes/session/become_operator.h"
#include "passes/session/constant_input.h"
#include "passes/session/joined_origins.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

bool has_input(const Node& n, std::size_t input) {
    return input < n.inputs.size() && n.inputs[input];
}

/// Indices of the parameters of an 8-bit product with a float result.
struct Form {
    std::size_t b_scale, b_zero, bias;
};

std::optional<Form> form_of(const Node& n) {
    if (n.domain != "com.microsoft" || n.outputs.size() != 1) return std::nullopt;
    if (n.op_type == "DynamicQuantizeMatMul") return Form{2, 3, 4};
    if (n.op_type == "MatMulIntegerToFloat") return Form{3, 5, 6};
    return std::nullopt;
}

bool is_one_or_row(const Tensor& t, std::int64_t columns) {
    return t.size() == 1 || (t.size() == columns && t.rank() > 0 && t.shape().back() == columns);
}

/// Why the activation, its scale or its zero point do not fit the kernel; empty: they do.
std::string input_problem(const Graph& graph, const Node& n) {
    const DType a = graph.value(n.inputs[0]).type.dtype;
    if (n.op_type == "DynamicQuantizeMatMul")
        return a == DType::f32 ? std::string() : "its input is not known to be float32";
    for (const std::size_t input : {std::size_t{2}, std::size_t{4}}) {
        if (!has_input(n, input)) continue;
        const Type& t = graph.value(n.inputs[input]).type;
        if (!t.is_static() || element_count(t.static_shape()) != 1)
            return "its input is not known to have one scale and one zero point";
    }
    return graph.value(n.inputs[2]).type.dtype == DType::f32
               ? std::string()
               : "its input's scale is not known to be float32";
}

/// Why the kernel does not take the product; empty: what belongs to its weight is constant, per
/// tensor or per column.
std::string product_problem(const Graph& graph, const Node& n, const Form& form) {
    const Tensor *b = constant_input(graph, n, 1), *scale = constant_input(graph, n, form.b_scale);
    if (!b || !scale) return "its weight or the weight's scale is not constant";
    if (b->rank() != 2 || (b->dtype() != DType::u8 && b->dtype() != DType::i8))
        return "its weight is no matrix of bytes";
    if (b->dim(0) > most_byte_products) return "sums of so many products do not fit 32 bits";
    const auto fits = [columns = b->dim(1)](const Tensor& t, DType dtype) {
        return t.dtype() == dtype && is_one_or_row(t, columns);
    };
    if (!fits(*scale, DType::f32))
        return "its weight's scales are not float32, one or one per column";
    for (const auto& [input, dtype] :
         {std::pair{form.b_zero, b->dtype()}, std::pair{form.bias, DType::f32}}) {
        if (!has_input(n, input)) continue;
        const Tensor* t = constant_input(graph, n, input);
        if (!t || !fits(*t, dtype))
            return std::string(input == form.bias ? "its bias is"
                                                  : "its weight's zero points are") +
                   " not constant, one or one per column";
    }
    return input_problem(graph, n);
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
    if (op == "Gelu")
        return Follower{n.string_attribute("approximate", "none") == "tanh" ? "FastGelu" : "Gelu"};
    if (op == "Relu") return Follower{"Relu"};
    return std::nullopt;
}

Outcome take_in_follower(PassContext& context, NodeId id) {
    const Graph& graph = context.graph();
    const Node product = graph.node(id);
    const auto form = form_of(product);
    const Value& result = graph.value(product.outputs[0]);
    const auto reader = std::ranges::find_if(
        result.uses, [&](const Use& use) { return follower_of(graph.node(use.node)).has_value(); });
    if (!form || reader == result.uses.end()) return not_concerned();
    if (!result.read_once()) return declined("what it gives is read by more than the activation");
    const Node next = graph.node(reader->node);
    const auto follower = follower_of(next);
    if (std::string problem = product_problem(graph, product, *form); !problem.empty())
        return declined(std::move(problem));
    const std::int64_t columns = constant_input(graph, product, 1)->dim(1);
    if (columns == 0) return declined("its weight has no columns");
    std::vector<ValueId> inputs = product.inputs;
    inputs.resize(form->bias + 1);
    if (follower->has_bias) {
        const Tensor* bias = constant_input(graph, next, 1);
        if (inputs[form->bias]) return declined("it has a bias, and the activation another one");
        if (!bias || bias->dtype() != DType::f32 || bias->size() != columns || bias->rank() != 1)
            return declined("the activation's bias is no constant float32 row of its columns");
        inputs[form->bias] = next.inputs[1];
    }
    const NodeId fused[] = {id, next.id};
    become_operator(
        context.edit(), next.id, product.op_type, inputs,
        {attr("activation", follower->activation), attr("activation_alpha", follower->alpha)},
        fused);
    context.edit().erase(id);
    return applied(product.op_type + " + " + next.op_type + " in one kernel");
}

/// Quantizes `x` once for all DynamicQuantizeMatMul that read it.
void share_quantization(PassContext& context, ValueId x) {
    const Graph& graph = context.graph();
    GraphEdit& edit = context.edit();
    std::vector<NodeId> readers;
    for (const Use& use : graph.value(x).uses) {
        const Node& n = graph.node(use.node);
        if (n.op_type == "DynamicQuantizeMatMul" && n.domain == "com.microsoft" && use.input == 0)
            readers.push_back(use.node);
    }
    const Type type = graph.value(x).type;
    if (readers.size() < 2 || type.dtype != DType::f32) return;
    Type bytes = type;
    bytes.dtype = DType::u8;
    const ValueId quantized = edit.add_value("", bytes),
                  scale = edit.add_value("", Type::tensor(DType::f32, SymbolicShape{})),
                  zero = edit.add_value("", Type::tensor(DType::u8, SymbolicShape{}));
    NodeSpec spec;
    spec.op_type = "DynamicQuantizeLinear";
    spec.inputs = {x};
    spec.outputs = {quantized, scale, zero};
    spec.version = 11;
    const NodeId quantize = edit.add_node(std::move(spec));
    edit.set_origins(quantize, joined_origins(graph, readers));
    for (NodeId id : readers) {
        const Node n = graph.node(id);
        const auto old = [&](std::size_t i) {
            return i < n.inputs.size() ? n.inputs[i] : ValueId();
        };
        const ValueId inputs[] = {quantized, old(1), scale, old(2), zero, old(3), old(4)};
        for (std::size_t i = 0; i < std::size(inputs); ++i) edit.set_input(id, i, inputs[i]);
        edit.set_operator(id, "com.microsoft", "MatMulIntegerToFloat", 1);
    }
    context.record(std::to_string(readers.size()) + " products quantize their input once");
}

void fuse_products(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || graph.node(id).op_type != "DynamicQuantizeMatMul" ||
            !has_input(graph.node(id), 0))
            continue;
        if (!context.may_rewrite()) return;
        share_quantization(context, graph.node(id).inputs[0]);
    }
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || !form_of(graph.node(id))) continue;
        if (!context.may_rewrite()) return;
        Outcome outcome = take_in_follower(context, id);
        if (outcome.done) context.record(std::move(outcome.text));
        else if (!outcome.text.empty()) context.miss(id, std::move(outcome.text));
    }
}

}  // namespace

PassBody fuse_integer_product() { return {.run = fuse_products}; }

}  // namespace lapidary::passes
