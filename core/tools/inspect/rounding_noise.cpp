// SPDX-License-Identifier: Apache-2.0
#include "inspect/rounding_noise.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/cost/roofline.h>
#include <lapidary/exec/session.h>
#include <lapidary/export/extract.h>
#include <lapidary/proof/compare.h>

namespace lapidary {
namespace {

// Plain kernels take some nanoseconds for each.
constexpr double most_flop = 2e9;

/// The nodes in the model as it was loaded; empty where one of them is not there as it runs.
std::vector<NodeId> loaded_nodes(const Model& loaded, const NodeRegion& region) {
    std::vector<NodeId> nodes;
    for (NodeId id : region.nodes) {
        const Node& node = region.graph->node(id);
        if (!loaded.graph.is_alive(id)) return {};
        const Node& same = loaded.graph.node(id);
        if (same.op_type != node.op_type || same.name != node.name ||
            same.inputs.size() != node.inputs.size())
            return {};
        nodes.push_back(id);
        for (ValueId input : same.inputs)  // what Constant nodes hold goes with it
            if (input && loaded.graph.value(input).kind == ValueKind::node_output)
                if (const NodeId made = loaded.graph.value(input).producer;
                    loaded.graph.node(made).op_type == "Constant")
                    nodes.push_back(made);
    }
    return nodes;
}

}  // namespace

EngineRun plain_kernels(const Progress& progress) {
    return [progress](const Model& model, const NamedValues& inputs) {
        SessionOptions options;
        options.reference_kernels = true;
        Session session =
            Session::compile(std::make_shared<const Model>(model), options, {progress.cancel, {}});
        RunOptions running;
        running.cancel = progress.cancel;
        return session.run(inputs, running).outputs;
    };
}

RuntimeValue run_region(const Model& loaded, const NodeRegion& region, const std::string& output,
                        const RegionInput& input, const EngineRun& engine,
                        const Progress& progress) {
    const std::vector<NodeId> nodes = loaded_nodes(loaded, region);
    if (nodes.empty()) return {};
    try {
        const Model part = extract_nodes(loaded, nodes, {progress.cancel, {}});
        NamedValues inputs;
        for (ValueId id : part.graph.inputs()) {
            const std::string& name = part.graph.value(id).name;
            const ValueId here = region.graph->find_value(name);
            RuntimeValue value = here ? input(here) : RuntimeValue();
            if (value.is_empty()) return {};
            inputs.emplace_back(name, std::move(value));
        }
        const NamedValues outputs = engine(part, inputs);
        const RuntimeValue* const found = find(outputs, output);
        return found ? *found : RuntimeValue();
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return {};
    }
}

std::optional<double> rounding_noise(const Model& loaded, const NodeRegion& region,
                                     const std::string& output, const RuntimeValue& value,
                                     const RegionInput& input, const Progress& progress) {
    double flop = 0;
    for (NodeId id : region.nodes)
        if (const auto work = work_of(*region.graph, id)) flop += work->flop;
    if (flop > most_flop || !value.is_tensor()) return std::nullopt;
    const RuntimeValue plain =
        run_region(loaded, region, output, input, plain_kernels(progress), progress);
    if (!plain.is_tensor() || plain.tensor().shape() != value.tensor().shape()) return std::nullopt;
    const double most = compare(plain, value, {0, 0}).max_abs;
    return std::isfinite(most) ? std::optional(most) : std::nullopt;
}

}  // namespace lapidary
