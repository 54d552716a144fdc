// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gelu(MatMul(a, weight) + bias), y = MatMul(a, weight) + bias + x, y =
//            FastGelu(Reshape(Gemm(a, weight, bias))) ...
//   after:   y = lapidary::Product(a, weight, bias?, x?) {alpha, transA, transB, activation ...}
// Each value between is read once. Views between the product and what is fused stay, behind the
// product.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <lapidary/passes/device_passes.h>
#include <lapidary/graph/graph_edit.h>

#include "kernels/activation.h"
#include "passes/session/become_operator.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

struct NamedActivation {
    std::string name;
    Activation activation;
};

NamedActivation named(std::string name, const std::vector<float>& parameters = {}) {
    const Activation known = lapidary::activation_of(name, parameters).value();
    return NamedActivation{std::move(name), known};
}

std::optional<NamedActivation> contrib_activation(const Node& n) {
    const std::string& op = n.op_type;
    if (op == "BiasGelu" || op == "Gelu") return named("Gelu");
    if (op == "FastGelu") return named("FastGelu");
    if (op == "QuickGelu") return named("QuickGelu", {n.float_attribute("alpha", 1.702f)});
    return std::nullopt;
}

/// The activation that the node applies to its input 0.
std::optional<NamedActivation> activation_of_node(const Node& n) {
    const std::string& op = n.op_type;
    if (n.domain == "com.microsoft") return contrib_activation(n);
    if (!n.domain.empty()) return std::nullopt;
    if (op == "Gelu")
        return named(n.string_attribute("approximate", "none") == "tanh" ? "FastGelu" : "Gelu");
    if (op == "Relu" || op == "Sigmoid" || op == "Tanh" || op == "Softplus" || op == "HardSwish")
        return named(op);
    if (op == "LeakyRelu") return named(op, {n.float_attribute("alpha", 0.01f)});
    if (op == "Elu") return named(op, {n.float_attribute("alpha", 1.0f)});
    if (op == "HardSigmoid")
        return named(op, {n.float_attribute("alpha", 0.2f), n.float_attribute("beta", 0.5f)});
    if (op == "Swish") return named("QuickGelu", {n.float_attribute("alpha", 1.0f)});
    return std::nullopt;
}

constexpr std::array<std::string_view, 5> views{"Reshape", "Unsqueeze", "Squeeze", "Flatten",
                                                "Identity"};

/// An operation that can be fused into a product: an addition or an activation.
bool is_follower(const Node& n) {
    return (n.domain.empty() && n.op_type == "Add" && n.inputs.size() == 2) ||
           activation_of_node(n);
}

/// A node of the chain that starts with the product: a view that stays or a node that the product
/// takes over.
struct Link {
    NodeId node;
    bool is_view = false;
};

class Chain {
public:
    Chain(const Graph& graph, NodeId product, std::int64_t columns)
        : graph_(graph), columns_(columns), links_{{product}},
          value_(graph.node(product).outputs[0]) {}

    ValueId bias, residual;
    std::optional<NamedActivation> activation;

    /// Adds the following nodes as long as they fit. True: at least one did.
    bool grow() {
        bool any = false;
        while (!activation && step()) any = any || !links_.back().is_view;
        while (links_.back().is_view) links_.pop_back();
        return any;
    }
    /// Why the chain ends at a node that products take over elsewhere; empty where no such node
    /// follows.
    const std::string& problem() const { return problem_; }
    const std::vector<Link>& links() const { return links_; }
    bool has_views() const { return std::ranges::any_of(links_, &Link::is_view); }

private:
    bool stop(const Node& n, const std::string& reason) {
        problem_ = n.describe() + " stays by itself: " + reason;
        return false;
    }

    bool step() {
        const Value& v = graph_.value(value_);
        if (!v.read_once()) {
            for (const Use& use : v.uses)
                if (is_follower(graph_.node(use.node)))
                    return stop(
                        graph_.node(use.node),
                        "what it reads is " +
                            std::string(v.output_uses > 0 ? "a graph output" : "read by others") +
                            " too");
            return false;
        }
        const Node& n = graph_.node(v.uses[0].node);
        if (n.outputs.empty() || !n.outputs[0] ||
            std::ranges::count(n.outputs, ValueId()) + 1 != std::ssize(n.outputs))
            return false;
        const bool is_first = v.uses[0].input == 0;
        if (n.domain.empty() && is_first && std::ranges::find(views, n.op_type) != views.end()) {
            take(n, true);
            return true;
        }
        if (!is_follower(n)) return false;
        if (n.op_type == "Add") return take_sum(n, n.inputs[1 - v.uses[0].input]);
        if (!is_first) return false;  // a bias is computed
        if ((n.op_type == "BiasGelu" || n.op_type == "FastGelu") && n.inputs.size() > 1 &&
            n.inputs[1]) {
            if (bias || residual) return stop(n, "the product has a bias or a residual already");
            if (std::string problem = bias_problem(n.inputs[1]); !problem.empty())
                return stop(n, "its bias " + problem);
            bias = n.inputs[1];
        }
        activation = activation_of_node(n);
        take(n, false);
        return true;
    }

    bool take_sum(const Node& n, ValueId other) {
        const bool is_constant = graph_.value(other).is_constant();
        if (is_constant ? bias || residual : bool(residual))
            return stop(n, std::string("the product has a ") + (residual ? "residual" : "bias") +
                               " already");
        const std::string problem = is_constant ? bias_problem(other) : residual_problem(other);
        if (!problem.empty()) return stop(n, "what is added " + problem);
        (is_constant ? bias : residual) = other;
        take(n, false);
        return true;
    }

    void take(const Node& n, bool is_view) {
        links_.push_back({n.id, is_view});
        value_ = n.outputs[0];
    }

    /// Why the operand is no constant row with one element per column of the product, which must
    /// still be the value's last axis; empty: it is.
    std::string bias_problem(ValueId id) const {
        const Value& b = graph_.value(id);
        const auto& shape = graph_.value(value_).type.shape;
        if (!b.is_constant() || !b.constant) return "is not constant";
        if (b.constant->size() != columns_ || b.constant->rank() == 0 ||
            b.constant->shape().back() != columns_)
            return "is not one row of the product's " + std::to_string(columns_) + " columns";
        if (!shape || shape->empty() || shape->back() != Dim(columns_))
            return "meets another axis than the product's columns";
        if (static_cast<std::size_t>(b.constant->rank()) > shape->size())
            return "has a higher rank than the product";
        return {};
    }

    /// Why it is no computed tensor of the shape that the product has, before any view; empty: it
    /// is.
    std::string residual_problem(ValueId id) const {
        if (has_views()) return "is computed and meets a reshaped product";
        const Type &own = graph_.value(value_).type, &other = graph_.value(id).type;
        const auto is_certain = [](const Dim& d) { return !d.is_unknown(); };
        if (!own.shape || other.shape != own.shape || !std::ranges::all_of(*own.shape, is_certain))
            return "is not known to have the shape of the product";
        return {};
    }

    const Graph& graph_;
    std::int64_t columns_;
    std::vector<Link> links_;
    ValueId value_;  // of the last link
    std::string problem_;
};

bool is_product(const Node& n) {
    const bool known = n.domain.empty() ? n.op_type == "MatMul" || n.op_type == "Gemm"
                                        : n.op_type == "FusedMatMul" && n.domain == "com.microsoft";
    return known && n.inputs.size() >= 2 && n.outputs[0];
}

/// Columns of the constant right operand.
std::int64_t columns_of(const Graph& graph, const Node& n) {
    const Tensor& b = *graph.value(n.inputs[1]).constant;
    const auto rank = static_cast<std::size_t>(b.rank());
    return b.dim(n.int_attribute("transB", 0) != 0 ? rank - 2 : rank - 1);
}

std::string_view words_of(DType dtype) {
    return dtype == DType::f16 ? "float16" : dtype == DType::bf16 ? "bfloat16" : "float32";
}

std::string gemm_bias_problem(const Graph& graph, const Node& n, DType dtype) {
    const Value& value = graph.value(n.inputs[2]);
    const std::int64_t columns = columns_of(graph, n);
    if (n.float_attribute("beta", 1.0f) != 1) return "it scales its bias";
    if (!value.is_constant() || !value.constant || value.constant->dtype() != dtype)
        return "its bias is no " + std::string(words_of(dtype)) + " constant";
    const Tensor& c = *value.constant;
    return c.size() != columns || c.rank() == 0 || c.shape().back() != columns
               ? "its bias is not one row"
               : std::string();
}

/// Why nothing can be fused with the product; empty: something can. Devices have the kernel for
/// 16-bit floats too.
std::string product_problem(const Scope& scope, const Node& n) {
    const Graph& graph = scope.graph;
    const DType dtype = graph.value(n.inputs[0]).type.dtype;
    const bool is_half = dtype == DType::f16 || dtype == DType::bf16;
    if (dtype != DType::f32 && !(is_half && is_for_devices(scope.provider)))
        return is_for_devices(scope.provider) ? "it is not computed in floats of 32 or 16 bits"
                                              : "it is not computed in float32";
    if (n.int_attribute("transBatchB", 0) != 0)
        return "its right operand is transposed with the batch";
    const Value& b = graph.value(n.inputs[1]);
    if (!b.is_constant() || !b.constant) return "its right operand is not constant";
    if (b.constant->dtype() != dtype || b.constant->rank() < 2 || b.constant->size() == 0)
        return "its right operand is no " + std::string(words_of(dtype)) + " matrix";
    if (n.op_type != "Gemm" || n.inputs.size() < 3 || !n.inputs[2]) return {};
    return gemm_bias_problem(graph, n, dtype);
}

std::vector<NodeId> fused_nodes(const Chain& chain) {
    std::vector<NodeId> fused;
    for (const Link& link : chain.links())
        if (!link.is_view) fused.push_back(link.node);
    return fused;
}

/// "Gemm + Add + Relu in one kernel"
std::string remark_of(const Graph& graph, const Chain& chain) {
    std::string text;
    for (NodeId id : fused_nodes(chain))
        text += (text.empty() ? "" : " + ") + graph.node(id).op_type;
    return text + " in one kernel";
}

void fuse(PassContext& context, const Chain& chain) {
    const Graph& graph = context.graph();
    GraphEdit& edit = context.edit();
    const Node product = graph.node(chain.links().front().node);
    std::vector<Attribute> attributes;
    for (const Attribute& a : product.attributes)
        if (a.name == "alpha" || a.name == "transA" || a.name == "transB" ||
            a.name == "transBatchA")
            attributes.push_back(a);
    if (chain.activation) {
        attributes.push_back(attr("activation", AttributeValue(chain.activation->name)));
        attributes.push_back(attr("activation_alpha", chain.activation->activation.alpha));
        attributes.push_back(attr("activation_beta", chain.activation->activation.beta));
    }
    const bool has_c = product.op_type == "Gemm" && product.inputs.size() > 2 && product.inputs[2];
    const std::array<ValueId, 4> inputs{product.inputs[0], product.inputs[1],
                                        has_c ? product.inputs[2] : chain.bias, chain.residual};
    const std::vector<NodeId> fused = fused_nodes(chain);
    const auto& links = chain.links();
    if (!chain.has_views()) {
        become_operator(edit, links.back().node, "Product", inputs, std::move(attributes), fused);
        for (std::size_t i = links.size() - 1; i-- > 0;) edit.erase(links[i].node);
        return;
    }
    become_operator(edit, product.id, "Product", inputs, std::move(attributes), fused);
    // the result of the link before replaces the result of this one
    for (std::size_t i = links.size(); i-- > 1;)
        if (!links[i].is_view)
            context.bypass(links[i].node, graph.node(links[i - 1].node).outputs[0]);
}

/// Why a view that stays cannot give what a node behind it gave; empty where it can.
std::string view_problem(const PassContext& context, const Chain& chain) {
    const auto& links = chain.links();
    for (std::size_t i = 1; i < links.size() && chain.has_views(); ++i) {
        if (links[i].is_view) continue;
        const ValueId before = context.graph().node(links[i - 1].node).outputs[0];
        if (std::string problem = context.bypass_problem(links[i].node, before); !problem.empty())
            return problem;
    }
    return {};
}

/// True when the product's result alone goes into something that products take over, but for
/// conditions on the product.
bool has_follower(const Graph& graph, const Node& product) {
    const Value& result = graph.value(product.outputs[0]);
    return result.read_once() && is_follower(graph.node(result.uses[0].node));
}

void fuse_epilogues(PassContext& context) {
    const Graph& graph = context.graph();
    for (NodeId id : context.nodes()) {
        if (!graph.is_alive(id) || !is_product(graph.node(id))) continue;
        if (!context.may_rewrite()) return;
        const Node& n = graph.node(id);
        if (std::string problem = product_problem(context.scope(), n); !problem.empty()) {
            if (has_follower(graph, n)) context.miss(id, std::move(problem));
            continue;
        }
        Chain chain(graph, id, columns_of(graph, n));
        if (n.op_type == "Gemm" && n.inputs.size() > 2 && n.inputs[2]) chain.bias = n.inputs[2];
        const bool grown = chain.grow();
        if (std::string problem = view_problem(context, chain); !problem.empty()) {
            context.miss(id, std::move(problem));
            continue;
        }
        const NodeId kept = chain.has_views() ? id : chain.links().back().node;
        if (grown) {
            std::string remark = remark_of(graph, chain);
            fuse(context, chain);
            context.record(std::move(remark));
        }
        if (!chain.problem().empty()) context.miss(kept, chain.problem());
    }
}

}  // namespace

PassBody fuse_product_epilogue() { return {.run = fuse_epilogues}; }

}  // namespace lapidary::passes
