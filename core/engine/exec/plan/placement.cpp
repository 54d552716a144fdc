// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/placement.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/cpu_provider.h"
#include "kernels/node_reads.h"
#include "ops/operator_traits.h"

namespace lapidary {
namespace {

bool is_whole_number(DType dtype) {
    return dtype == DType::i64 || dtype == DType::i32 || dtype == DType::boolean;
}

/// Finds nodes that compute with shapes: Shape and Size, and nodes on their results that write
/// integers of at most one axis.
class ShapeComputation {
public:
    explicit ShapeComputation(const Graph& graph)
        : graph_(graph), is_shape_(graph.node_slots(), 0) {
        for (NodeId id : graph.nodes()) is_shape_[id.index] = computes_with_shapes(graph.node(id));
    }
    bool holds(NodeId id) const { return is_shape_[id.index] != 0; }

private:
    bool computes_with_shapes(const Node& node) const {
        if (node.domain.empty() && (node.op_type == "Shape" || node.op_type == "Size")) return true;
        bool reads_shape = false;
        for (ValueId v : node.inputs) {
            if (!v || graph_.value(v).is_constant()) continue;
            const Value& value = graph_.value(v);
            if (value.kind != ValueKind::node_output || !holds(value.producer)) return false;
            reads_shape = true;
        }
        return reads_shape && std::ranges::all_of(node.outputs, [&](ValueId v) {
                   if (!v) return true;
                   const Type& type = graph_.value(v).type;
                   return type.is_tensor() && is_whole_number(type.dtype) && type.has_shape() &&
                          type.shape->size() <= 1;
               });
    }

    const Graph& graph_;
    std::vector<std::uint8_t> is_shape_;  // by NodeId::index
};

/// Why the node is offered to no provider but the CPU; empty when it is.
std::string not_offered(const Graph& graph, const Node& node, bool is_shape_computation) {
    for (const Attribute& a : node.attributes)
        if (std::holds_alternative<GraphPtr>(a.value)) return "control flow runs on the CPU";
    if (is_shape_computation) return "it computes with shapes, which the CPU needs";
    for (const auto* list : {&node.inputs, &node.outputs})
        for (ValueId v : *list) {
            if (!v) continue;
            const Value& value = graph.value(v);
            const bool is_numbers = value.type.is_tensor() &&
                                    value.type.dtype != DType::undefined &&
                                    value.type.dtype != DType::string;
            if (!is_numbers)
                return "value " + quote(value.name) + " is " +
                       (value.type.kind == Type::Kind::unknown ? "of unknown type"
                                                               : "no tensor of numbers");
        }
    return unread_part(node).value_or("");  // a plugin cannot report parts that it does not know
}

class Chooser {
public:
    Chooser(const Graph& graph, std::span<const std::shared_ptr<const Provider>> providers,
            const KernelOptions& options, WeightStore& weights)
        : graph_(graph), providers_(providers), options_(options), weights_(weights),
          shapes_(graph) {}

    NodeAssignment choose(NodeId id) const {
        NodeAssignment assigned;
        const Node& node = graph_.node(id);
        assigned.is_shape_computation = shapes_.holds(id);
        const std::string reason = not_offered(graph_, node, assigned.is_shape_computation);
        for (const auto& provider : providers_) {
            Claim claim = reason.empty() ? provider->claim({graph_, node, options_, weights_, {}})
                                         : Claim::refuse(reason);
            if (claim.is_taken()) {
                assigned.provider = provider.get();
                assigned.gain_ns = claim.gain_ns;
                assigned.host_inputs = std::move(claim.host_inputs);
                return assigned;
            }
            assigned.reasons.push_back({provider->name(), std::move(claim.refusal)});
        }
        assigned.provider = &cpu_provider();
        return assigned;
    }

private:
    const Graph& graph_;
    std::span<const std::shared_ptr<const Provider>> providers_;
    const KernelOptions& options_;
    WeightStore& weights_;
    ShapeComputation shapes_;
};

void require_names_apart(std::span<const std::shared_ptr<const Provider>> providers) {
    std::vector<std::string> names{std::string(cpu_provider_name)};
    for (const auto& p : providers) {
        if (p == nullptr) fail_input("a provider of the session is null");
        if (std::ranges::find(names, p->name()) != names.end())
            fail_input("two providers of the session are named " + quote(p->name()));
        names.push_back(p->name());
    }
}

void require_no_fallback(const Graph& graph, const DevicePlacement& placement, Fallback fallback) {
    if (fallback == Fallback::allow) return;
    std::size_t count = 0;
    const Node* first = nullptr;
    for (NodeId id : graph.nodes()) {
        const NodeAssignment& assigned = placement.nodes[id.index];
        if (assigned.device() || (fallback == Fallback::shapes && assigned.is_shape_computation))
            continue;
        if (count++ == 0) first = &graph.node(id);
    }
    if (count == 0) return;
    std::string text =
        first->describe() + " would run on the CPU, which the session does not allow: ";
    const auto& reasons = placement.nodes[first->id.index].reasons;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        text += (i ? "; " : "") + reasons[i].provider + ": " + reasons[i].reason;
    if (reasons.empty()) text += "the session names no provider";
    if (count > 1) text += "; and " + std::to_string(count - 1) + " more";
    fail_unsupported(text);
}

}  // namespace

const DeviceProvider* NodeAssignment::reads_on(std::size_t input) const {
    return std::ranges::find(host_inputs, input) == host_inputs.end() ? device() : nullptr;
}

bool NodeAssignment::reads_elements(const Node& node, std::size_t input) const {
    return device() != nullptr || traits_of(node).reads_elements(input);
}

DevicePlacement place_nodes(const Graph& graph,
                            std::span<const std::shared_ptr<const Provider>> providers,
                            Fallback fallback, const KernelOptions& options, WeightStore& weights,
                            const CancelToken& cancel) {
    require_names_apart(providers);
    DevicePlacement placement;
    placement.nodes.resize(graph.node_slots());
    const Chooser chooser(graph, providers, options, weights);
    for (NodeId id : graph.nodes()) {
        cancel.throw_if_cancelled();
        placement.nodes[id.index] = chooser.choose(id);
    }
    settle_islands(graph, placement, cancel);
    require_no_fallback(graph, placement, fallback);
    return placement;
}

}  // namespace lapidary
