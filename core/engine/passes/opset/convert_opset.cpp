// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/convert_opset.h"

#include <algorithm>
#include <limits>
#include <map>

#include <lapidary/base/error.h>

#include "graph/inline_functions.h"
#include "graph/ir_version.h"
#include "graph/lift_constants.h"
#include "graph/traversal.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/opset_pass.h"

namespace lapidary {

namespace opset {
#define LAPIDARY_OPSET_STEP(op, version, function, summary) \
    Outcome function(const Node& node, PassContext& context);
#include "passes/opset/opset_steps.inc"
#undef LAPIDARY_OPSET_STEP
}  // namespace opset

namespace {

using Steps = std::map<std::string, UpgradeNode, std::less<>>;

const std::map<std::int64_t, Steps>& steps_by_version() {
    static const std::map<std::int64_t, Steps> steps = [] {
        std::map<std::int64_t, Steps> all;
#define LAPIDARY_OPSET_STEP(op, version, function, summary) all[version][op] = &opset::function;
#include "passes/opset/opset_steps.inc"
#undef LAPIDARY_OPSET_STEP
        return all;
    }();
    return steps;
}

UpgradeNode step_for(const Node& node, const Steps& steps, std::int64_t version) {
    if (!node.domain.empty() || node.version >= version) return nullptr;
    const auto found = steps.find(node.op_type);
    return found == steps.end() ? nullptr : found->second;
}

void upgrade_nodes(PassContext& context) {
    const std::int64_t version = context.opset();
    const Steps& steps = steps_by_version().at(version);
    for (NodeId id : context.nodes()) {
        if (!context.graph().is_alive(id)) continue;
        const Node node = context.graph().node(id);
        const UpgradeNode upgrade = step_for(node, steps, version);
        if (!upgrade) continue;
        const Outcome outcome = upgrade(node, context);
        if (!outcome.done) {
            context.miss(id, outcome.text);
        } else if (outcome.text.empty()) {  // the form did not change for this node
            context.edit().set_operator(id, "", node.op_type, version);
            context.touched();
        } else {
            context.record(outcome.text);
        }
    }
}

void take_version(PassContext& context) {
    for (NodeId id : context.nodes()) {
        const Node& node = context.graph().node(id);
        if (!node.domain.empty() || node.version >= context.opset()) continue;
        context.edit().set_operator(id, "", node.op_type, context.opset());
        context.touched();
    }
}

const PassEntry upgrade_entry{PassInfo{"convert_opset", Level::basic, 0, "all", true, "",
                                       "Brings operators to a later opset."},
                              [] { return PassBody{.run = upgrade_nodes}; }};
const PassEntry version_entry{PassInfo{"convert_opset", Level::basic, 0, "all", true, "",
                                       "Gives operators the number of a later opset."},
                              [] { return PassBody{.run = take_version}; }};

struct NodeVersions {
    std::int64_t oldest = std::numeric_limits<std::int64_t>::max(), newest = 0;
};

/// Of the ai.onnx nodes.
NodeVersions node_versions(const Model& model) {
    NodeVersions found;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (!node.domain.empty() || node.version <= 0) continue;
            found.oldest = std::min(found.oldest, node.version);
            found.newest = std::max(found.newest, node.version);
        }
    });
    return found;
}

bool has_step(const Model& model, const Steps& steps, std::int64_t version) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (NodeId id : graph.nodes()) found = found || step_for(graph.node(id), steps, version);
    });
    return found;
}

}  // namespace

std::int64_t version_of_change(const Node& node, std::int64_t opset) {
    if (!node.domain.empty()) return 0;
    const auto [older, newer] = std::minmax(opset, node.version);
    for (const auto& [version, steps] : steps_by_version())
        if (version > older && version <= newer && steps.contains(node.op_type)) return version;
    return 0;
}

void import_onnx(Model& model) {
    std::int64_t opset = newest_opset;
    while (opset > 7 && least_ir_version(opset) > model.ir_version) --opset;
    model.opset_imports.emplace("", opset);
}

std::vector<AppliedRewrite> convert_opset(Model& model, std::int64_t opset,
                                          const Progress& progress) {
    if (opset > newest_opset)
        fail_input("opset " + std::to_string(opset) + " is not known, the newest is " +
                   std::to_string(newest_opset));
    if (!model.functions.empty()) {
        inline_functions(model, {}, progress.cancel);
        model.functions.clear();
        lift_constants(model, progress.cancel);  // steps read lists that are constants
    }
    return convert_nodes(model, opset, progress);
}

std::vector<AppliedRewrite> convert_nodes(Model& model, std::int64_t opset,
                                          const Progress& progress) {
    // Nodes of expanded functions may be of other versions than the model.
    const auto [oldest, newest] = node_versions(model);
    std::vector<AppliedRewrite> rewrites;
    if (opset < std::max(newest, model.opset())) {
        rewrites = convert_down(model, opset, progress);
        if (oldest >= opset) return rewrites;
    }
    for (const auto& [version, steps] : steps_by_version()) {
        if (version > opset || !has_step(model, steps, version)) continue;
        progress.step("convert to opset " + std::to_string(version));
        model.opset_imports[""] = version;
        PipelineReport report = run_opset_pass(model, upgrade_entry, progress);
        if (!report.near_misses.empty())
            fail_unsupported("the model cannot be converted to opset " + std::to_string(version) +
                             ": " + listed_refusals(report.near_misses));
        std::ranges::move(report.rewrites, std::back_inserter(rewrites));
    }
    model.opset_imports[""] = opset;
    run_opset_pass(model, version_entry, progress);
    model.ir_version = std::max(model.ir_version, least_ir_version(opset));
    return rewrites;
}

}  // namespace lapidary
