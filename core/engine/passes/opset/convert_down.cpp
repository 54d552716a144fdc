// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/convert_down.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <lapidary/base/error.h>

#include "graph/ir_version.h"
#include "graph/traversal.h"
#include "ops/schemas/schema.h"
#include "passes/opset/lower_opset.h"
#include "passes/opset/opset_pass.h"

namespace lapidary {

namespace opset {
#define LAPIDARY_OPSET_DOWN_STEP(op, version, function, summary) \
    Outcome function(const Node& node, PassContext& context);
#include "passes/opset/opset_down_steps.inc"
#undef LAPIDARY_OPSET_DOWN_STEP
}  // namespace opset

namespace {

using DownSteps = std::map<std::string, DowngradeNode, std::less<>>;

const std::map<std::int64_t, DownSteps>& down_steps_by_version() {
    static const std::map<std::int64_t, DownSteps> steps = [] {
        std::map<std::int64_t, DownSteps> all;
#define LAPIDARY_OPSET_DOWN_STEP(op, version, function, summary) \
    all[version][op] = &opset::function;
#include "passes/opset/opset_down_steps.inc"
#undef LAPIDARY_OPSET_DOWN_STEP
        return all;
    }();
    return steps;
}

DowngradeNode down_step(const Node& node, std::int64_t version) {
    const auto steps = down_steps_by_version().find(version);
    if (steps == down_steps_by_version().end()) return nullptr;
    const auto found = steps->second.find(node.op_type);
    return found == steps->second.end() ? nullptr : found->second;
}

/// True if the operator changed with `version` and the node is of that or a later one.
bool changed_with(const Node& node, std::int64_t version) {
    if (!node.domain.empty() || node.version < version) return false;
    const OpSchema* schema = find_schema("", node.op_type, node.version);
    return schema && schema->since_version >= version;
}

/// Takes one step for every node that changed with the opset after the context's.
void downgrade_nodes(PassContext& context) {
    const std::int64_t older = context.opset(), version = older + 1;
    for (const NodeId id : context.nodes()) {
        if (!context.graph().is_alive(id) || !changed_with(context.graph().node(id), version))
            continue;
        const Node node = context.graph().node(id);
        const DowngradeNode downgrade = down_step(node, version);
        const Outcome outcome = downgrade ? downgrade(node, context) : applied("");
        if (!outcome.done) {
            context.miss(id, outcome.text);
        } else if (!outcome.text.empty()) {
            context.record(outcome.text);
        } else if (std::string problem = older_form_problem(older, context.graph(), node);
                   !problem.empty()) {
            context.miss(id, std::move(problem));
        } else {
            take_older_form(context.edit(), node, older);
            context.touched();
        }
    }
}

void take_older_version(PassContext& context) {
    for (const NodeId id : context.nodes()) {
        const Node& node = context.graph().node(id);
        if (!node.domain.empty() || node.version <= context.opset()) continue;
        context.edit().set_operator(id, "", node.op_type, context.opset());
        context.touched();
    }
}

const PassEntry downgrade_entry{PassInfo{"convert_down", Level::basic, 0, "all", true, "",
                                         "Brings operators to an earlier opset."},
                                [] { return PassBody{.run = downgrade_nodes}; }};
const PassEntry older_version_entry{PassInfo{"convert_down", Level::basic, 0, "all", true, "",
                                             "Gives operators the number of an earlier opset."},
                                    [] { return PassBody{.run = take_older_version}; }};

bool has_changed_node(const Model& model, std::int64_t version) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes())
            found = found || changed_with(graph.node(id), version);
    });
    return found;
}

}  // namespace

std::vector<AppliedRewrite> convert_down(Model& model, std::int64_t opset,
                                         const Progress& progress) {
    if (opset < oldest_opset)
        fail_input(fmt::format("opset {} is not written, the oldest is {}", opset, oldest_opset));
    std::vector<AppliedRewrite> rewrites;
    try {
        // down from the newest, since expanded functions may be newer than the model
        for (std::int64_t version = newest_version(""); version > opset; --version) {
            if (!has_changed_node(model, version)) continue;
            progress.step(fmt::format("convert down to opset {}", version - 1));
            model.opset_imports[""] = version - 1;
            PipelineReport report = run_opset_pass(model, downgrade_entry, progress);
            if (!report.near_misses.empty())
                fail_unsupported(fmt::format("the model cannot be converted down to opset {}: {}",
                                             opset, listed_refusals(report.near_misses)));
            std::ranges::move(report.rewrites, std::back_inserter(rewrites));
        }
        model.opset_imports[""] = opset;
        run_opset_pass(model, older_version_entry, progress);
    } catch (const Error& error) {
        // The older form of an operator does not take the types of the newer one.
        if (error.code() != ErrorCode::invalid_model) throw;
        fail_unsupported(
            fmt::format("the model cannot be converted down to opset {}: {}", opset, error.what()));
    }
    model.ir_version = std::min(model.ir_version, least_ir_version(model));
    return rewrites;
}

std::vector<std::string> written_out_downwards() {
    std::vector<std::string> names;
    for (const auto& [version, steps] : down_steps_by_version())
        for (const auto& [name, step] : steps)
            if (!find_schema("", name, version - 1)) names.push_back(name);
    return names;
}

}  // namespace lapidary
