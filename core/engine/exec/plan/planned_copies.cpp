// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/planned_copies.h"

#include <algorithm>

#include <lapidary/graph/graph_edit.h>

#include "exec/cpu_provider.h"
#include "exec/plan/operator_in_words.h"
#include "exec/plan/type_bytes.h"
#include "rewrite/session_domain.h"

namespace lapidary {
namespace {

/// "to", an attribute of copies: the name of the provider whose memory is written.
constexpr std::string_view to_attribute = "to";

class CopyInsertion {
public:
    CopyInsertion(Graph& graph, DevicePlacement& placement) : edit_(graph), placement_(placement) {}

    void insert_for(ValueId id) {
        const Value value = graph().value(id);  // of before the edits
        const DeviceProvider* made_on = value.kind == ValueKind::node_output
                                            ? placement_.nodes[value.producer.index].device()
                                            : nullptr;
        // readers there, in order
        std::vector<std::pair<const DeviceProvider*, std::vector<Use>>> devices;
        bool host_needs = value.output_uses != 0 || !value.captured_by.empty();
        for (const Use& use : value.uses) {
            const NodeAssignment& assigned = placement_.nodes[use.node.index];
            const DeviceProvider* reader = assigned.reads_on(use.input);
            if (!assigned.reads_elements(graph().node(use.node), use.input)) continue;
            if (reader != made_on) host_needs = true;  // between two devices it goes by the host
            if (reader == nullptr) continue;
            auto it = std::ranges::find(devices, reader, &decltype(devices)::value_type::first);
            if (it == devices.end()) it = devices.insert(it, {reader, {}});
            it->second.push_back(use);
        }
        if (made_on != nullptr && host_needs) copy_to_host(value, *made_on);
        for (const auto& [device, uses] : devices) {
            if (device == made_on && !host_needs) continue;
            const ValueId there = device == made_on ? original_ : copy_to_device(value, *device);
            for (const Use& use : uses) edit_.set_input(use.node, use.input, there);
        }
    }

    void finish() {
        edit_.put_first(of_inputs_);
        edit_.finish();
    }

private:
    const Graph& graph() const { return edit_.graph(); }

    /// The value's id becomes the copy's output.
    void copy_to_host(const Value& value, const DeviceProvider& from) {
        original_ = edit_.add_value(edit_.fresh_name(value.name + "@" + from.name()), value.type);
        edit_.set_output(value.producer, value.producer_output, original_);
        add_copy(original_, value.id, value.name, from, cpu_provider_name);
    }

    ValueId copy_to_device(const Value& value, const DeviceProvider& to) {
        const ValueId there =
            edit_.add_value(edit_.fresh_name(value.name + "@" + to.name()), value.type);
        const NodeId copy = add_copy(value.id, there, value.name, to, to.name());
        if (value.kind == ValueKind::input) of_inputs_.push_back(copy);
        return there;
    }

    NodeId add_copy(ValueId from, ValueId to, const std::string& name, const DeviceProvider& device,
                    std::string_view target) {
        NodeSpec spec;
        spec.op_type = copy_operator;
        spec.domain = session_domain;
        spec.version = 1;
        spec.name = "copy " + name + " to " + std::string(target);
        spec.inputs = {from};
        spec.outputs = {to};
        spec.attributes = {{std::string(to_attribute), std::string(target)}};
        const NodeId node = edit_.add_node(std::move(spec));
        edit_.set_origins(node, {});
        placement_.nodes.resize(graph().node_slots());
        placement_.nodes[node.index].provider = &device;
        return node;
    }

    GraphEdit edit_;
    DevicePlacement& placement_;
    ValueId original_;
    // copies go first: between kernels they would wait for memory that these still use
    std::vector<NodeId> of_inputs_;
};

/// The readers of a copy: a node and the number of others, or a graph output.
std::string cause_of(const Graph& graph, const Value& value) {
    if (!value.uses.empty()) {
        std::string text = graph.node(value.uses.front().node).describe();
        if (value.uses.size() > 1)
            text += " and " + std::to_string(value.uses.size() - 1) + " more";
        return text;
    }
    if (!value.captured_by.empty()) return graph.node(value.captured_by.front()).describe();
    return "graph output " + quote(value.name);
}

/// A copy's value under the name that it has in the model.
const std::string& name_on_host(const Graph& graph, const Node& copy, bool to_host) {
    return graph.value(to_host ? copy.outputs[0] : copy.inputs[0]).name;
}

PlannedCopy planned_copy(const Graph& graph, const Node& node, const Provider& device) {
    const bool to_host = copies_to(node) == CopyDirection::to_host;
    const std::string host(cpu_provider_name);
    const Value& output = graph.value(node.outputs[0]);
    const auto bytes = bytes_of(output.type);
    return {node.id,
            name_on_host(graph, node, to_host),
            to_host ? device.name() : host,
            to_host ? host : device.name(),
            cause_of(graph, output),
            bytes ? static_cast<std::int64_t>(*bytes) : -1};
}

}  // namespace

bool is_copy(const Node& node) {
    return node.domain == session_domain && node.op_type == copy_operator;
}

CopyDirection copies_to(const Node& copy) {
    return copy.string_attribute(to_attribute, "") == cpu_provider_name ? CopyDirection::to_host
                                                                        : CopyDirection::to_device;
}

void insert_copies(Graph& graph, DevicePlacement& placement, const CancelToken& cancel) {
    if (placement.islands.empty()) return;
    CopyInsertion insertion(graph, placement);
    for (ValueId id : graph.values()) {
        cancel.throw_if_cancelled();
        if (!graph.value(id).is_constant()) insertion.insert_for(id);
    }
    insertion.finish();
}

ValueMemory memory_of_values(const Graph& graph, const DevicePlacement& placement) {
    ValueMemory memory(graph.value_slots(), nullptr);
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (is_copy(node) && copies_to(node) == CopyDirection::to_host) continue;
        for (ValueId v : node.outputs)
            if (v) memory[v.index] = placement.nodes[id.index].device();
    }
    return memory;
}

PlacementReport report_placement(const Graph& graph, const DevicePlacement& placement) {
    PlacementReport report;
    report.islands = placement.islands;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const NodeAssignment& assigned = placement.nodes[id.index];
        if (is_copy(node)) {
            report.copies.push_back(planned_copy(graph, node, *assigned.provider));
            continue;
        }
        const std::string name =
            node.name.empty() ? node.op_type + "_" + std::to_string(id.index) : node.name;
        report.nodes.push_back({id, name, operator_in_words(node), assigned.provider->name(),
                                assigned.island, assigned.is_shape_computation, assigned.reasons});
    }
    return report;
}

}  // namespace lapidary
