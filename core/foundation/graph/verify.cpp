// SPDX-License-Identifier: Apache-2.0
#include "graph/verify.h"

#include <algorithm>
#include <set>
#include <vector>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

class Verifier {
public:
    Verifier(const Graph& graph, std::string place, const CancelToken& cancel)
        : graph_(graph), place_(std::move(place)), cancel_(cancel) {}

    void run() {
        check_values();
        check_nodes();
        check_interface();
        check_uses();
    }

private:
    void require(bool condition, const char* message) const {
        if (!condition) fail(message);
    }
    // Messages about a value or node are built only when it is invalid, because every pass
    // verifies.
    void require(bool condition, ValueId id, const char* what) const {
        if (!condition) fail(label(id) + what);
    }
    void require(bool condition, const Node& node, const char* what) const {
        if (!condition) fail(node.describe() + what);
    }
    [[noreturn]] void fail(const std::string& message) const {
        throw Error(ErrorCode::internal, message).at("graph " + place_);
    }
    void look() const {
        if (++looks_ % 1024 == 0) cancel_.throw_if_cancelled();
    }
    std::string label(ValueId id) const { return "value " + quote(graph_.value(id).name); }

    void check_values() const {
        for (ValueId id : graph_.values()) {
            look();
            const Value& v = graph_.value(id);
            require(v.id == id, id, " carries another id");
            require(!v.name.empty(), id, ": empty name");
            require(graph_.find_value(v.name) == id, id,
                    " is not found by its name, or another has it too");
            require(v.kind != ValueKind::undefined, id, " has no source");
            require((v.kind == ValueKind::node_output) == static_cast<bool>(v.producer), id,
                    ": kind and producer disagree");
            require((v.kind == ValueKind::captured) == static_cast<bool>(v.outer), id,
                    ": kind and outer value disagree");
            require(v.kind != ValueKind::initializer || v.constant.has_value(), id,
                    " is an initializer without data");
            if (v.producer) {
                require(graph_.is_alive(v.producer), id, ": its producer is gone");
                const Node& p = graph_.node(v.producer);
                require(v.producer_output < p.outputs.size() && p.outputs[v.producer_output] == id,
                        id, ": its producer does not list it");
            }
        }
    }

    void check_nodes() const {
        std::vector<bool> seen(graph_.node_slots()), written(graph_.value_slots());
        for (NodeId id : graph_.nodes()) {
            look();
            const Node& n = graph_.node(id);
            require(n.id == id && !seen[id.index], n, " stands twice in the order");
            seen[id.index] = true;
            const auto reads = [&](ValueId v) {
                require(graph_.is_alive(v), n, " reads a value that is gone");
                if (graph_.value(v).kind == ValueKind::node_output && !written[v.index])
                    fail(n.describe() + " stands before the writer of " + label(v));
            };
            for (ValueId v : n.inputs)
                if (v) reads(v);
            for (ValueId v : n.captures) reads(v);
            for (ValueId v : n.outputs) {
                if (!v) continue;
                require(graph_.is_alive(v) && graph_.value(v).producer == id, n,
                        ": an output has another producer");
                require(!written[v.index], v, " is written twice");
                written[v.index] = true;
            }
            std::set<std::string_view> names;
            for (const Attribute& a : n.attributes) {
                if (!names.insert(a.name).second)
                    fail(n.describe() + ": attribute " + quote(a.name) + " stands twice");
                check_subgraphs(n, a);
            }
            require(!n.origins.empty(), n, " has no origins");
        }
        for (std::uint32_t i = 0; i < graph_.node_slots(); ++i)
            if (graph_.is_alive(NodeId(i)) && !seen[i])
                fail("node #" + std::to_string(i) + " is missing from the order");
    }

    void check_subgraphs(const Node& n, const Attribute& a) const {
        const auto inner = [&](const GraphPtr& g) {
            if (g == nullptr)
                fail(n.describe() + ": attribute " + quote(a.name) + " holds no graph");
            const std::set<ValueId> captures(n.captures.begin(), n.captures.end());
            for (ValueId id : g->values()) {
                const Value& v = g->value(id);
                if (v.kind == ValueKind::captured && !captures.contains(v.outer))
                    fail(n.describe() + ": captured value " + quote(v.name) +
                         " is not among its captures");
            }
            Verifier(*g, place_ + "/" + n.describe() + "/" + a.name, cancel_).run();
        };
        if (const auto* one = std::get_if<GraphPtr>(&a.value)) inner(*one);
        if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value))
            std::ranges::for_each(*many, inner);
    }

    void check_interface() const {
        std::set<ValueId> inputs;
        for (ValueId id : graph_.inputs()) {
            require(graph_.is_alive(id) && graph_.value(id).kind == ValueKind::input,
                    "a graph input is no input value");
            require(inputs.insert(id).second, id, " is listed twice as input");
        }
        for (ValueId id : graph_.outputs()) require(graph_.is_alive(id), "a graph output is gone");
        for (ValueId id : graph_.values()) {
            look();
            require(graph_.value(id).kind != ValueKind::input || inputs.contains(id), id,
                    " is missing from the inputs");
        }
    }

    void check_uses() const {
        std::vector<std::vector<Use>> uses(graph_.value_slots());
        std::vector<std::vector<NodeId>> captured(graph_.value_slots());
        std::vector<std::uint32_t> outputs(graph_.value_slots(), 0);
        for (NodeId id : graph_.nodes()) {
            look();
            const Node& n = graph_.node(id);
            for (std::size_t i = 0; i < n.inputs.size(); ++i)
                if (n.inputs[i])
                    uses[n.inputs[i].index].push_back({id, static_cast<std::uint32_t>(i)});
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
            require(listed == uses[id.index], id, ": use list is wrong");
            auto readers = v.captured_by;
            std::ranges::sort(readers);
            std::ranges::sort(captured[id.index]);
            require(readers == captured[id.index], id, ": list of capturing nodes is wrong");
            require(v.output_uses == outputs[id.index], id, ": count of output uses is wrong");
        }
    }

    const Graph& graph_;
    std::string place_;
    const CancelToken& cancel_;
    mutable std::uint32_t looks_ = 0;
};

}  // namespace

void verify(const Graph& graph, const CancelToken& cancel) {
    Verifier(graph, quote(graph.name()), cancel).run();
}

void verify(const Model& model, const CancelToken& cancel) {
    verify(model.graph, cancel);
    for (const Function& f : model.functions)
        if (f.body) Verifier(*f.body, "function " + quote(f.name), cancel).run();
}

}  // namespace lapidary
