// SPDX-License-Identifier: Apache-2.0
#include "exec/plan/make_plan.h"

#include <algorithm>
#include <limits>

#include "exec/cpu_provider.h"
#include "exec/device/device_step.h"
#include "kernels/node_reads.h"

namespace lapidary {
namespace {

/// Why the node has no kernel.
std::string missing_kernel(const Node& node, const Step& step) {
    std::string reason;
    if (step.provider->device() == nullptr &&
        !has_kernel(node.domain, node.op_type, node.version, &reason))
        return reason;
    if (step.provider->device() == nullptr)
        if (auto unread = unread_part(node)) return std::move(*unread);
    reason = "every kernel passed it over";
    for (const Rejection& r : step.kernel.passed_over) reason += "; " + r.kernel + ": " + r.reason;
    return reason;
}

/// True for operators with subgraphs: they only have reference kernels, whose time is negligible
/// beside that of the subgraphs.
bool holds_graph(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& a) {
        return std::holds_alternative<GraphPtr>(a.value);
    });
}

/// The reason for Step::reference_reason, from the kernels that kernel_list.inc has for the opset.
std::string reference_reason(const Node& node, const KernelChoice& kernel) {
    if (!kernel.name.starts_with("reference.") || holds_graph(node)) return {};
    std::string reasons;
    std::size_t count = 0;
    const auto serves = [&](const Rejection& r) { return !r.reason.starts_with("serves opset "); };
    const auto faster = std::ranges::count_if(kernel.passed_over, serves);
    for (const Rejection& r : kernel.passed_over) {
        if (!serves(r)) continue;
        if (count++ > 0) reasons += "; ";
        reasons += (faster > 1 ? r.kernel + ": " : std::string()) + r.reason;
    }
    return faster > 0 ? reasons : "there is no faster kernel for " + node.qualified_op();
}

void choose(Step& step, const KernelRequest& request, const DevicePlacement* placement) {
    step.provider =
        placement != nullptr ? placement->nodes[step.node.index].provider : &cpu_provider();
    step.kernel = is_copy(request.node)
                      ? make_copy_kernel(*step.provider->device(), copies_to(request.node))
                      : step.provider->make_kernel(request);
    if (step.provider->device() == nullptr && !request.options.reference_only)
        step.reference_reason = reference_reason(request.node, step.kernel);
    if (placement == nullptr) return;
    for (const PlacementReason& r : placement->nodes[step.node.index].reasons)
        step.kernel.passed_over.push_back({r.provider, r.reason});
}

}  // namespace

std::unique_ptr<Plan> make_plan(const Graph& graph, const std::string& path, int depth,
                                int& counter, MissingKernels& missing, const KernelOptions& options,
                                WeightStore& weights, const CancelToken& cancel,
                                const DevicePlacement* placement) {
    auto plan = std::make_unique<Plan>();
    plan->graph = &graph;
    plan->number = counter++;
    plan->depth = depth;
    plan->path = path;
    if (placement != nullptr) plan->devices = make_device_plan(graph, *placement);
    plan->constants.resize(graph.value_slots());
    for (ValueId id : graph.values()) {
        if (id.index % 1024 == 0) cancel.throw_if_cancelled();
        if (const Value& v = graph.value(id); v.kind == ValueKind::initializer)
            plan->constants[id.index] = *v.constant;
    }

    constexpr std::size_t unread = 0, never = std::numeric_limits<std::size_t>::max();
    plan->last_use.assign(graph.value_slots(), unread);
    for (NodeId id : graph.nodes()) {
        cancel.throw_if_cancelled();
        const Node& n = graph.node(id);
        Step& step = plan->steps.emplace_back();
        step.node = id;
        choose(step, {graph, n, options, weights, {}}, placement);
        if (!step.kernel)
            missing.push_back((path.empty() ? "" : path + ": ") + n.describe() + ": " +
                              missing_kernel(n, step));
        for (const Attribute& a : n.attributes)
            if (const auto* g = std::get_if<GraphPtr>(&a.value))
                step.subgraphs.emplace(
                    a.name, make_plan(**g, step_name(*plan, step) + "/" + a.name + "/", depth + 1,
                                      counter, missing, options, weights, cancel));
        const std::size_t index = plan->steps.size() - 1;
        for (ValueId v : n.inputs)
            if (v) plan->last_use[v.index] = index;
        for (ValueId v : n.captures) plan->last_use[v.index] = index;
        for (ValueId v : n.outputs)
            if (v) plan->last_use[v.index] = index;  // until a reader comes
    }
    plan->fallbacks = std::make_unique<std::atomic<const char*>[]>(plan->steps.size());
    for (ValueId v : graph.outputs()) plan->last_use[v.index] = never;
    for (ValueId id : graph.values()) {
        if (id.index % 1024 == 0) cancel.throw_if_cancelled();
        const Value& v = graph.value(id);
        const bool read = !v.uses.empty() || !v.captured_by.empty();
        if (plan->last_use[id.index] == never || (v.kind != ValueKind::node_output && !read))
            continue;
        plan->steps[plan->last_use[id.index]].released_after.push_back(id);
    }
    return plan;
}

std::vector<ValueId> drop_unread_constants(Plan& plan) {
    const Graph& graph = *plan.graph;
    std::vector<std::uint8_t> read(graph.value_slots(), 0);
    for (ValueId v : graph.outputs()) read[v.index] = 1;
    for (Step& step : plan.steps) {
        const Node& n = graph.node(step.node);
        for (std::size_t i = 0; i < n.inputs.size(); ++i)
            if (n.inputs[i] &&
                std::ranges::find(step.kernel.unread_inputs, i) == step.kernel.unread_inputs.end())
                read[n.inputs[i].index] = 1;
        for (ValueId v : n.captures) read[v.index] = 1;
        for (auto& [name, sub] : step.subgraphs) drop_unread_constants(*sub);
    }
    std::vector<ValueId> dropped;
    for (ValueId id : graph.initializers()) {
        if (read[id.index]) continue;
        plan.constants[id.index] = {};
        dropped.push_back(id);
    }
    return dropped;
}

}  // namespace lapidary
