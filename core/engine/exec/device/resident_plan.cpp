// SPDX-License-Identifier: Apache-2.0
#include "exec/device/resident_plan.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/plan/planned_copies.h"

namespace lapidary {
namespace {

ResidentPlan::Input input_of(const Graph& graph, const DevicePlacement& placement, ValueId id) {
    ResidentPlan::Input input{id, nullptr, {}};
    const Value& value = graph.value(id);
    const auto refuse = [&](std::string why) {
        input.device = nullptr;
        input.reason = std::move(why);
        return input;
    };
    if (!value.captured_by.empty())
        return refuse(graph.node(value.captured_by.front()).describe() +
                      " reads it in a subgraph, on the CPU");
    for (const Use& use : value.uses) {
        const Node& node = graph.node(use.node);
        const NodeAssignment& assigned = placement.nodes[use.node.index];
        if (!assigned.reads_elements(node, use.input)) continue;
        if (!is_copy(node)) return refuse(node.describe() + " reads it in host memory");
        if (input.device != nullptr && input.device != assigned.device())
            return refuse("both " + quote(input.device->name()) + " and " +
                          quote(assigned.device()->name()) + " read it");
        input.device = assigned.device();
    }
    return input.device ? input : refuse("no node on a device reads it");
}

ResidentPlan::Output output_of(const Graph& graph, const DevicePlacement& placement, ValueId id) {
    ResidentPlan::Output output{id, {}, nullptr, false, {}};
    const Value& value = graph.value(id);
    if (value.kind != ValueKind::node_output) {
        output.reason = "it is an input or a constant of the graph";
        return output;
    }
    const Node& producer = graph.node(value.producer);
    if (!is_copy(producer) || copies_to(producer) != CopyDirection::to_host) {
        output.reason = producer.describe() + " runs on the CPU";
        return output;
    }
    output.original = producer.inputs[0];
    output.device = placement.nodes[producer.id.index].device();
    output.is_read_on_host =
        !value.captured_by.empty() || std::ranges::any_of(value.uses, [&](const Use& use) {
            return placement.nodes[use.node.index].reads_elements(graph.node(use.node), use.input);
        });
    return output;
}

}  // namespace

const ResidentPlan::Input* ResidentPlan::input(ValueId id) const {
    const auto at = std::ranges::find(inputs, id, &Input::id);
    return at == inputs.end() ? nullptr : &*at;
}

const ResidentPlan::Output* ResidentPlan::output(ValueId id) const {
    const auto at = std::ranges::find(outputs, id, &Output::id);
    return at == outputs.end() ? nullptr : &*at;
}

ResidentPlan make_resident_plan(const Graph& graph, const DevicePlacement& placement) {
    ResidentPlan plan;
    for (ValueId id : graph.inputs()) plan.inputs.push_back(input_of(graph, placement, id));
    for (ValueId id : graph.outputs()) plan.outputs.push_back(output_of(graph, placement, id));
    return plan;
}

}  // namespace lapidary
