// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gelu(MatMul(a, weight) + bias), y = MatMul(a, weight) + bias + x, y = FastGelu(Reshape(Gemm(a, weight, bias))) ...
//   after:   y = lapidary::Product(a, weight, bias?, x?) {alpha, transA, transB, activation ...}
// Each value between is read once. Views between the product and what is fused stay, behind the product.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <lapidary/graph_edit.h>

#include "exec/fusion/fusion.h"
#include "exec/fusion/joined_origins.h"
#include "kernels/activation.h"

namespace lapidary {
namespace {

struct NamedActivation {
    std::string name;
    Activation activation;
};

/// A node of the chain that starts with the product: a view that stays or a node that the product takes over.
struct Link {
    NodeId node;
    bool is_view = false;
};

class Chain {
public:
    Chain(const Graph& graph, NodeId product, std::int64_t columns) : graph_(graph), columns_(columns), links_{{product}}, value_(graph.node(product).outputs[0]) {}

    ValueId bias, residual;
    std::optional<NamedActivation> activation;

    /// Takes in followers for as long as they fit; true when any did.
    bool grow() {
        bool any = false;
        while (!activation && step()) any = any || !links_.back().is_view;
        while (links_.back().is_view) links_.pop_back();
        return any;
    }
    const std::vector<Link>& links() const { return links_; }
    bool has_views() const { return std::ranges::any_of(links_, &Link::is_view); }

private:
    bool step() {
        const Value& v = graph_.value(value_);
        if (!v.read_once()) return false;
        const Node& n = graph_.node(v.uses[0].node);
        const bool is_plain = n.domain.empty(), is_contrib = n.domain == "com.microsoft";
        if ((!is_plain && !is_contrib) || n.outputs.empty() || !n.outputs[0] || std::ranges::count(n.outputs, ValueId()) + 1 != std::ssize(n.outputs)) return false;
        const std::string& op = n.op_type;
        if (is_plain && v.uses[0].input == 0 && (op == "Reshape" || op == "Unsqueeze" || op == "Squeeze" || op == "Flatten" || op == "Identity")) {
            take(n, true);
            return true;
        }
        if (is_plain && op == "Add" && n.inputs.size() == 2) {
            const ValueId other = n.inputs[1 - v.uses[0].input];
            if (!bias && !residual && is_bias(other)) bias = other;
            else if (!residual && is_residual(other)) residual = other;
            else return false;
            take(n, false);
            return true;
        }
        if (v.uses[0].input != 0) return false;
        if (is_contrib && (op == "BiasGelu" || op == "FastGelu") && n.inputs.size() > 1 && n.inputs[1]) {
            if (bias || residual || !is_bias(n.inputs[1])) return false;
            bias = n.inputs[1];
        }
        activation = activation_of_node(n);
        if (!activation) return false;
        take(n, false);
        return true;
    }

    void take(const Node& n, bool is_view) {
        links_.push_back({n.id, is_view});
        value_ = n.outputs[0];
    }

    /// A constant row of the product's columns; the value's last axis are these columns still.
    bool is_bias(ValueId id) const {
        const Value& b = graph_.value(id);
        const auto& shape = graph_.value(value_).type.shape;
        if (!b.is_constant() || !b.constant || b.constant->dtype() != DType::f32 || b.constant->size() != columns_) return false;
        if (b.constant->rank() == 0 || b.constant->shape().back() != columns_) return false;
        return shape && !shape->empty() && shape->back() == Dim(columns_) && static_cast<std::size_t>(b.constant->rank()) <= shape->size();
    }

    /// A computed tensor of the shape that the product has, before any view.
    bool is_residual(ValueId id) const {
        const Value& r = graph_.value(id);
        if (r.is_constant() || has_views()) return false;
        const Type& type = graph_.value(value_).type;
        const auto is_certain = [](const Dim& d) { return !d.is_unknown(); };
        return type.shape && r.type.shape == type.shape && std::ranges::all_of(*type.shape, is_certain);
    }

    std::optional<NamedActivation> activation_of_node(const Node& n) const {
        const std::string& op = n.op_type;
        const auto named = [&](std::string name, std::vector<float> parameters = {}) -> std::optional<NamedActivation> {
            const Activation known = lapidary::activation_of(name, parameters).value();
            return NamedActivation{std::move(name), known};
        };
        if (n.domain == "com.microsoft") {
            if (op == "BiasGelu" || op == "Gelu") return named("Gelu");
            if (op == "FastGelu") return named("FastGelu");
            if (op == "QuickGelu") return named("QuickGelu", {n.float_attribute("alpha", 1.702f)});
            return std::nullopt;
        }
        if (op == "Gelu") return named(n.string_attribute("approximate", "none") == "tanh" ? "FastGelu" : "Gelu");
        if (op == "Relu" || op == "Sigmoid" || op == "Tanh" || op == "Softplus" || op == "HardSwish") return named(op);
        if (op == "LeakyRelu") return named(op, {n.float_attribute("alpha", 0.01f)});
        if (op == "Elu") return named(op, {n.float_attribute("alpha", 1.0f)});
        if (op == "HardSigmoid") return named(op, {n.float_attribute("alpha", 0.2f), n.float_attribute("beta", 0.5f)});
        if (op == "Swish") return named("QuickGelu", {n.float_attribute("alpha", 1.0f)});
        return std::nullopt;
    }

    const Graph& graph_;
    std::int64_t columns_;
    std::vector<Link> links_;
    ValueId value_;  // of the last link
};

/// Columns of the constant float32 right operand; 0 when the node is no product that can be fused.
std::int64_t columns_of(const Graph& graph, const Node& n) {
    const bool is_matmul = n.op_type == "MatMul" && n.domain.empty(), is_gemm = n.op_type == "Gemm" && n.domain.empty();
    const bool is_fused = n.op_type == "FusedMatMul" && n.domain == "com.microsoft";
    if ((!is_matmul && !is_gemm && !is_fused) || n.inputs.size() < 2 || n.outputs.size() != 1 || !n.outputs[0]) return 0;
    if (graph.value(n.inputs[0]).type.dtype != DType::f32 || n.int_attribute("transBatchB", 0) != 0) return 0;
    const Value& b = graph.value(n.inputs[1]);
    if (!b.is_constant() || !b.constant || b.constant->dtype() != DType::f32 || b.constant->rank() < 2 || b.constant->size() == 0) return 0;
    const auto rank = static_cast<std::size_t>(b.constant->rank());
    const std::int64_t columns = b.constant->dim(n.int_attribute("transB", 0) != 0 ? rank - 2 : rank - 1);
    if (is_gemm && n.inputs.size() > 2 && n.inputs[2]) {  // C must be a row, as it is
        const auto& c = graph.value(n.inputs[2]).constant;
        if (n.float_attribute("beta", 1.0f) != 1 || !graph.value(n.inputs[2]).is_constant() || !c || c->dtype() != DType::f32) return 0;
        if (c->size() != columns || c->rank() == 0 || c->shape().back() != columns) return 0;
    }
    return columns;
}

void turn_into_product(GraphEdit& edit, NodeId id, std::array<ValueId, 4> inputs, const std::vector<Attribute>& attributes) {
    for (const Attribute& a : std::vector<Attribute>(edit.graph().node(id).attributes)) edit.remove_attribute(id, a.name);
    for (std::size_t i = 0; i < std::max(inputs.size(), edit.graph().node(id).inputs.size()); ++i) edit.set_input(id, i, i < inputs.size() ? inputs[i] : ValueId());
    edit.set_operator(id, std::string(fusion_domain), "Product", 1);
    for (const Attribute& a : attributes) edit.set_attribute(id, a);
}

void apply(Graph& graph, GraphEdit& edit, const Chain& chain) {
    const Node product = graph.node(chain.links().front().node);
    std::vector<Attribute> attributes;
    for (const Attribute& a : product.attributes)
        if (a.name == "alpha" || a.name == "transA" || a.name == "transB" || a.name == "transBatchA") attributes.push_back(a);
    if (chain.activation) {
        attributes.push_back({"activation", chain.activation->name, {}, {}});
        attributes.push_back({"activation_alpha", chain.activation->activation.alpha, {}, {}});
        attributes.push_back({"activation_beta", chain.activation->activation.beta, {}, {}});
    }
    const bool has_c = product.op_type == "Gemm" && product.inputs.size() > 2 && product.inputs[2];
    const std::array<ValueId, 4> inputs{product.inputs[0], product.inputs[1], has_c ? product.inputs[2] : chain.bias, chain.residual};

    std::vector<NodeId> fused;
    for (const Link& link : chain.links())
        if (!link.is_view) fused.push_back(link.node);
    const auto& links = chain.links();
    if (!chain.has_views()) {
        const NodeId last = links.back().node;
        edit.set_origins(last, joined_origins(graph, fused));
        turn_into_product(edit, last, inputs, attributes);
        for (std::size_t i = links.size() - 1; i-- > 0;) edit.erase(links[i].node);
        return;
    }
    edit.set_origins(product.id, joined_origins(graph, fused));
    turn_into_product(edit, product.id, inputs, attributes);
    for (std::size_t i = links.size(); i-- > 1;) {  // the link before writes what this one wrote
        if (links[i].is_view) continue;
        const ValueId result = edit.take_outputs(links[i].node).at(0);
        edit.erase(links[i].node);
        edit.set_output(links[i - 1].node, 0, result);
    }
}

}  // namespace

void fuse_product_epilogue(Graph& graph, GraphEdit& edit, const CancelToken& cancel) {
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        cancel.throw_if_cancelled();
        if (!graph.is_alive(id)) continue;
        const std::int64_t columns = columns_of(graph, graph.node(id));
        if (columns == 0) continue;
        Chain chain(graph, id, columns);
        const Node& n = graph.node(id);
        if (n.op_type == "Gemm" && n.inputs.size() > 2 && n.inputs[2]) chain.bias = n.inputs[2];
        if (chain.grow()) apply(graph, edit, chain);
    }
}

}  // namespace lapidary
