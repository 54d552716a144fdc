// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(Softmax(Add(Mul(MatMul(q, k), scale), mask)), v), with or without scale and mask
//   after:   y = lapidary::DotProductAttention(q, k, v, mask?) {scale ...}
// Transposes that only split heads, of q, k and v before it and of y after it, are taken in where nothing else reads them.
// Batch and heads of all operands are known to agree; scores and weights are read by nothing else.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <lapidary/graph_edit.h>

#include "exec/fusion/fusion.h"
#include "exec/fusion/joined_origins.h"

namespace lapidary {
namespace {

bool is_plain(const Node& n, std::string_view op) { return n.domain.empty() && n.op_type == op; }

/// The node that writes a value which only one input reads; null otherwise.
const Node* sole_producer(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    if (v.kind != ValueKind::node_output || !v.read_once()) return nullptr;
    const Node& n = graph.node(v.producer);
    return std::ranges::count(n.outputs, ValueId()) + 1 == std::ssize(n.outputs) ? &n : nullptr;
}

const SymbolicShape* shape_of(const Graph& graph, ValueId id) {
    const Type& type = graph.value(id).type;
    return type.dtype == DType::f32 && type.shape ? &*type.shape : nullptr;
}

bool is_same(const Dim& a, const Dim& b) { return !a.is_unknown() && a == b; }

std::optional<float> scalar_of(const Graph& graph, ValueId id) {
    const Value& v = graph.value(id);
    if (!v.is_constant() || !v.constant || v.constant->dtype() != DType::f32 || v.constant->size() != 1) return {};
    return v.constant->data<float>()[0];
}

/// A product of two computed matrices; the second one may be read transposed.
struct MatrixPair {
    float scale = 1;
    bool transposes = false;

    static std::optional<MatrixPair> of(const Node& n) {
        if (n.inputs.size() != 2 || n.outputs.size() != 1) return {};
        if (is_plain(n, "MatMul")) return MatrixPair{};
        if (n.domain != "com.microsoft" || n.op_type != "FusedMatMul") return {};
        if (n.int_attribute("transA", 0) != 0 || n.int_attribute("transBatchA", 0) != 0 || n.int_attribute("transBatchB", 0) != 0) return {};
        return MatrixPair{n.float_attribute("alpha", 1.0f), n.int_attribute("transB", 0) != 0};
    }
};

class Finder {
public:
    Finder(const Graph& graph, const Node& softmax) : graph_(graph) { found_ = find(softmax); }
    explicit operator bool() const { return found_; }

    ValueId q, k, v, mask;
    float scale = 1;
    int q_last = 0, k_form = 0, v_last = 0, out_last = 0;
    std::vector<NodeId> nodes;  // all that go; the last one gives the result

private:
    bool find(const Node& softmax) {
        const auto* scores = shape_of(graph_, softmax.inputs[0]);
        if (!scores || (scores->size() != 3 && scores->size() != 4)) return false;
        const auto rank = static_cast<std::int64_t>(scores->size());
        const std::int64_t axis = softmax.int_attribute("axis", softmax.version >= 13 ? -1 : 1);
        if (axis != -1 && axis != rank - 1) return false;
        const Value& weights = graph_.value(softmax.outputs[0]);
        if (!weights.read_once() || weights.uses[0].input != 0) return false;
        const Node& second = graph_.node(weights.uses[0].node);
        const auto values = MatrixPair::of(second);
        if (!values || values->transposes || values->scale != 1) return false;

        const Node* n = sole_producer(graph_, softmax.inputs[0]);
        std::vector<NodeId> between{softmax.id};
        if (n && is_plain(*n, "Add")) {
            between.push_back(n->id);
            const Node* left = sole_producer(graph_, n->inputs[0]);
            const std::size_t side = left && leads_to_product(*left) ? 0 : 1;
            mask = n->inputs[1 - side];
            if (mask == n->inputs[side] || graph_.value(mask).type.dtype != DType::f32 || !keeps_shape(n->inputs[side], n->outputs[0])) return false;
            n = sole_producer(graph_, n->inputs[side]);
        }
        if (n && (is_plain(*n, "Mul") || is_plain(*n, "Div"))) {
            between.push_back(n->id);
            const bool divides = n->op_type == "Div";
            const std::size_t side = divides || scalar_of(graph_, n->inputs[1]) ? 0 : 1;
            const auto factor = scalar_of(graph_, n->inputs[1 - side]);
            if (!factor || !keeps_shape(n->inputs[side], n->outputs[0])) return false;
            scale = divides ? 1 / *factor : *factor;
            n = sole_producer(graph_, n->inputs[side]);
        }
        if (!n) return false;
        const auto products = MatrixPair::of(*n);
        if (!products) return false;
        scale *= products->scale;
        q = n->inputs[0];
        k = n->inputs[1];
        v = second.inputs[1];
        k_form = products->transposes ? 0 : 2;
        const auto *qs = shape_of(graph_, q), *ks = shape_of(graph_, k), *vs = shape_of(graph_, v);
        if (!qs || !ks || !vs || qs->size() != scores->size() || ks->size() != scores->size() || vs->size() != scores->size()) return false;
        for (std::size_t i = 0; i + 2 < qs->size(); ++i)
            if (!is_same((*qs)[i], (*ks)[i]) || !is_same((*qs)[i], (*vs)[i])) return false;
        if (!std::ranges::all_of(std::vector{q, k, v}, [&](ValueId id) { return !graph_.value(id).is_constant(); })) return false;

        nodes = {n->id};
        nodes.insert(nodes.end(), between.rbegin(), between.rend());
        nodes.push_back(second.id);
        if (rank == 4) take_transposes(second);
        return true;
    }

    /// A product, or one behind a multiplication with a number.
    bool leads_to_product(const Node& n) const {
        return MatrixPair::of(n) || is_plain(n, "Mul") || is_plain(n, "Div");
    }

    bool keeps_shape(ValueId before, ValueId after) const {
        const auto *a = shape_of(graph_, before), *b = shape_of(graph_, after);
        return a && b && std::ranges::equal(*a, *b, is_same);
    }

    /// Looks through a Transpose with that order; what is left is its input.
    bool look_through(ValueId& value, const std::vector<std::int64_t>& order) {
        const Node* n = sole_producer(graph_, value);
        if (!n || !is_plain(*n, "Transpose") || n->ints_attribute("perm") != order) return false;
        value = n->inputs[0];
        nodes.insert(nodes.begin(), n->id);
        return true;
    }

    void take_transposes(const Node& second) {
        q_last = look_through(q, {0, 2, 1, 3});
        v_last = look_through(v, {0, 2, 1, 3});
        if (k_form == 2) {
            if (look_through(k, {0, 2, 3, 1})) k_form = 1;
            else if (look_through(k, {0, 1, 3, 2})) k_form = look_through(k, {0, 2, 1, 3}) ? 1 : 0;
        } else if (look_through(k, {0, 2, 1, 3})) {
            k_form = 1;
        }
        const Value& out = graph_.value(second.outputs[0]);
        if (!out.read_once()) return;
        const Node& next = graph_.node(out.uses[0].node);
        if (!is_plain(next, "Transpose") || next.ints_attribute("perm") != std::vector<std::int64_t>{0, 2, 1, 3}) return;
        out_last = 1;
        nodes.push_back(next.id);
    }

    const Graph& graph_;
    bool found_ = false;
};

void apply(const Graph& graph, GraphEdit& edit, const Finder& found) {
    const NodeId last = found.nodes.back();
    edit.set_origins(last, joined_origins(graph, found.nodes));
    for (const Attribute& a : std::vector<Attribute>(graph.node(last).attributes)) edit.remove_attribute(last, a.name);
    const ValueId inputs[] = {found.q, found.k, found.v, found.mask};
    for (std::size_t i = 0; i < std::max<std::size_t>(4, graph.node(last).inputs.size()); ++i) edit.set_input(last, i, i < 4 ? inputs[i] : ValueId());
    edit.set_operator(last, std::string(fusion_domain), "DotProductAttention", 1);
    edit.set_attribute(last, {"scale", found.scale, {}, {}});
    for (const auto& [name, value] : {std::pair{"q_last", found.q_last}, {"k_form", found.k_form}, {"v_last", found.v_last}, {"out_last", found.out_last}})
        edit.set_attribute(last, {name, std::int64_t{value}, {}, {}});
    // Readers go before what they read.
    std::vector<NodeId> rest(found.nodes.begin(), found.nodes.end() - 1);
    while (!rest.empty())
        for (std::size_t i = rest.size(); i-- > 0;)
            if (std::ranges::all_of(graph.node(rest[i]).outputs, [&](ValueId id) { return !id || graph.value(id).is_unused(); })) {
                edit.erase(rest[i]);
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            }
}

}  // namespace

void fuse_dot_product_attention(Graph& graph, GraphEdit& edit, const CancelToken& cancel) {
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end())) {
        cancel.throw_if_cancelled();
        if (!graph.is_alive(id) || !is_plain(graph.node(id), "Softmax")) continue;
        if (const Finder found(graph, graph.node(id)); found) apply(graph, edit, found);
    }
}

}  // namespace lapidary
