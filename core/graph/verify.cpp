// SPDX-License-Identifier: Apache-2.0
#include "graph/verify.h"

#include <algorithm>
#include <set>

#include <lapidary/error.h>

namespace lapidary {
namespace {

class Verifier {
public:
    Verifier(const Graph& graph, std::string place, const CancelToken& cancel) : graph_(graph), place_(std::move(place)), cancel_(cancel) {}

    void run() {
        check_values();
        check_nodes();
        check_interface();
        check_uses();
    }

private:
    void require(bool condition, const std::string& message) const {
        if (!condition) throw Error(ErrorCode::internal, message).at("graph " + place_);
    }
    void look() const {
        if (++looks_ % 1024 == 0) cancel_.throw_if_cancelled();
    }
    std::string label(ValueId id) const { return "value " + quote(graph_.value(id).name); }

    void check_values() const {
        std::set<std::string_view> names;
        for (ValueId id : graph_.values()) {
            look();
            const Value& v = graph_.value(id);
            require(v.id == id, label(id) + " carries another id");
            require(!v.name.empty() && names.insert(v.name).second, label(id) + ": empty or repeated name");
            require(graph_.find_value(v.name) == id, label(id) + " is not found by its name");
            require(v.kind != ValueKind::undefined, label(id) + " has no source");
            require((v.kind == ValueKind::node_output) == static_cast<bool>(v.producer), label(id) + ": kind and producer disagree");
            require((v.kind == ValueKind::captured) == static_cast<bool>(v.outer), label(id) + ": kind and outer value disagree");
            require(v.kind != ValueKind::initializer || v.constant.has_value(), label(id) + " is an initializer without data");
            if (v.producer) {
                require(graph_.is_alive(v.producer), label(id) + ": its producer is gone");
                const Node& p = graph_.node(v.producer);
                require(v.producer_output < p.outputs.size() && p.outputs[v.producer_output] == id, label(id) + ": its producer does not list it");
            }
        }
    }

    void check_nodes() const {
        std::set<NodeId> seen;
        std::set<ValueId> written;
        for (NodeId id : graph_.nodes()) {
            look();
            const Node& n = graph_.node(id);
            require(n.id == id && seen.insert(id).second, n.describe() + " stands twice in the order");
            const auto reads = [&](ValueId v) {
                require(graph_.is_alive(v), n.describe() + " reads a value that is gone");
                require(graph_.value(v).kind != ValueKind::node_output || written.contains(v),
                        n.describe() + " stands before the writer of " + label(v));
            };
            for (ValueId v : n.inputs)
                if (v) reads(v);
            for (ValueId v : n.captures) reads(v);
            for (ValueId v : n.outputs) {
                if (!v) continue;
                require(graph_.is_alive(v) && graph_.value(v).producer == id, n.describe() + ": an output has another producer");
                require(written.insert(v).second, label(v) + " is written twice");
            }
            std::set<std::string_view> names;
            for (const Attribute& a : n.attributes) {
                require(names.insert(a.name).second, n.describe() + ": attribute " + quote(a.name) + " stands twice");
                check_subgraphs(n, a);
            }
            require(!n.origins.empty(), n.describe() + " has no origins");
        }
        for (std::uint32_t i = 0; i < graph_.node_slots(); ++i)
            require(!graph_.is_alive(NodeId(i)) || seen.contains(NodeId(i)), "node #" + std::to_string(i) + " is missing from the order");
    }

    void check_subgraphs(const Node& n, const Attribute& a) const {
        const auto inner = [&](const GraphPtr& g) {
            require(g != nullptr, n.describe() + ": attribute " + quote(a.name) + " holds no graph");
            const std::set<ValueId> captures(n.captures.begin(), n.captures.end());
            for (ValueId id : g->values()) {
                const Value& v = g->value(id);
                if (v.kind == ValueKind::captured)
                    require(captures.contains(v.outer),
                            n.describe() + ": captured value " + quote(v.name) + " is not among its captures");
            }
            Verifier(*g, place_ + "/" + n.describe() + "/" + a.name, cancel_).run();
        };
        if (const auto* one = std::get_if<GraphPtr>(&a.value)) inner(*one);
        if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value)) std::ranges::for_each(*many, inner);
    }

    void check_interface() const {
        std::set<ValueId> inputs;
        for (ValueId id : graph_.inputs()) {
            require(graph_.is_alive(id) && graph_.value(id).kind == ValueKind::input, "a graph input is no input value");
            require(inputs.insert(id).second, label(id) + " is listed twice as input");
        }
        for (ValueId id : graph_.outputs()) require(graph_.is_alive(id), "a graph output is gone");
        for (ValueId id : graph_.values())
            require(graph_.value(id).kind != ValueKind::input || inputs.contains(id), label(id) + " is missing from the inputs");
    }

    void check_uses() const {
        std::vector<std::vector<Use>> uses(graph_.value_slots());
        std::vector<std::vector<NodeId>> captured(graph_.value_slots());
        std::vector<std::uint32_t> outputs(graph_.value_slots(), 0);
        for (NodeId id : graph_.nodes()) {
            const Node& n = graph_.node(id);
            for (std::size_t i = 0; i < n.inputs.size(); ++i)
                if (n.inputs[i]) uses[n.inputs[i].index].push_back({id, static_cast<std::uint32_t>(i)});
            for (ValueId v : n.captures) captured[v.index].push_back(id);
        }
        for (ValueId v : graph_.outputs()) ++outputs[v.index];
        const auto key = [](const Use& u) { return std::pair(u.node, u.input); };
        for (ValueId id : graph_.values()) {
            look();
            const Value& v = graph_.value(id);
            auto listed = v.uses;
            std::ranges::sort(listed, {}, key);
            std::ranges::sort(uses[id.index], {}, key);
            require(listed == uses[id.index], label(id) + ": use list is wrong");
            auto readers = v.captured_by;
            std::ranges::sort(readers);
            std::ranges::sort(captured[id.index]);
            require(readers == captured[id.index], label(id) + ": list of capturing nodes is wrong");
            require(v.output_uses == outputs[id.index], label(id) + ": count of output uses is wrong");
        }
    }

    const Graph& graph_;
    std::string place_;
    const CancelToken& cancel_;
    mutable std::uint32_t looks_ = 0;
};

}  // namespace

void verify(const Graph& graph, const CancelToken& cancel) { Verifier(graph, quote(graph.name()), cancel).run(); }

void verify(const Model& model, const CancelToken& cancel) {
    verify(model.graph, cancel);
    for (const Function& f : model.functions)
        if (f.body) Verifier(*f.body, "function " + quote(f.name), cancel).run();
}

}  // namespace lapidary
