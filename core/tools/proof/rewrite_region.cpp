// SPDX-License-Identifier: Apache-2.0
#include "proof/rewrite_region.h"

#include <algorithm>
#include <map>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "graph/cut_nodes.h"

namespace lapidary {
namespace {

using Nodes = std::set<NodeId>;

/// A value at the boundary, with the name that it has in both models.
struct Port {
    ValueId value;
    std::string name;
};

/// The node of the main graph whose subgraph the place lies in.
bool holds_place(NodeId node, const GraphPath& place) {
    return !place.is_main() && place.steps.front().node == node;
}

bool reads_otherwise(const Node& a, const Node& b) {
    return a.op_type != b.op_type || a.domain != b.domain || a.inputs != b.inputs ||
           a.captures != b.captures || a.outputs != b.outputs;
}

/// Nodes of `before` that the rewrite removed or changed.
Nodes touched_nodes(const Graph& before, const Graph& after, const AppliedRewrite& rewrite) {
    Nodes nodes;
    for (NodeId id : rewrite.rewrite.removed)
        if (rewrite.place.is_main() && before.is_alive(id)) nodes.insert(id);
    for (NodeId id : before.nodes()) {
        if (!after.is_alive(id)) nodes.insert(id);
        else if (reads_otherwise(before.node(id), after.node(id)) || holds_place(id, rewrite.place))
            nodes.insert(id);
    }
    return nodes;
}

/// With these types of the inputs, given by name.
Model cut(const Model& model, const Nodes& nodes, const std::vector<Port>& inputs,
          const std::vector<Port>& outputs, const std::map<std::string, Type>& types) {
    std::vector<CutPort> entries, results;
    for (const Port& port : inputs) entries.push_back({port.value, port.name, types.at(port.name)});
    for (const Port& port : outputs) results.push_back({port.value, port.name, {}});
    Model region = cut_nodes(model, nodes, entries, results);
    infer_types(region);
    return region;
}

NamedValues record(const Model& model, const std::vector<Port>& ports, const NamedValues& given,
                   const GuardOptions& guarding, const Progress& progress) {
    NamedValues inputs;
    for (const auto& [name, value] : given)
        if (std::ranges::any_of(model.graph.inputs(),
                                [&](ValueId id) { return model.graph.value(id).name == name; }))
            inputs.emplace_back(name, value);
    const std::uint64_t seed = guarding.seeds.empty() ? 0 : guarding.seeds.front();
    for (auto& value : generate_inputs(model, inputs, {seed, guarding.dimensions, progress.cancel}))
        inputs.push_back(std::move(value));
    SessionOptions options;
    options.resources.threads = guarding.threads;
    options.session_passes.set = SessionPasses::Set::none;  // inner values are asked for
    RunOptions run;
    run.cancel = progress.cancel;
    NamedValues values;
    for (const Port& port : ports) {
        const Value& v = model.graph.value(port.value);
        if (const RuntimeValue* known = find(inputs, v.name))
            values.emplace_back(port.name, *known);
        else if (v.constant) values.emplace_back(port.name, *v.constant);
        else run.extra_outputs.push_back(v.name);
    }
    if (!run.extra_outputs.empty()) {
        RunResult result = Session::compile(std::make_shared<const Model>(model), options, progress)
                               .run(inputs, run);
        const std::size_t first = result.outputs.size() - run.extra_outputs.size();
        for (std::size_t i = first; i < result.outputs.size(); ++i)
            values.push_back(std::move(result.outputs[i]));
    }
    for (const auto& [name, value] : values)
        if (!value.is_tensor())
            fail_unsupported("what flows in at " + quote(name) +
                             " is no tensor: " + value.describe());
    return values;
}

/// The outputs of the region before and after: corresponding values have the same name.
struct RegionOutputs {
    std::vector<Port> before, after;
};

/// The value that corresponds to `v` after the rewrite: itself, or the graph output that replaced
/// it.
ValueId counterpart(const Graph& old, const Graph& now, ValueId v) {
    ValueId stands_for = v;
    for (std::size_t i = 0; i < old.outputs().size() && i < now.outputs().size(); ++i)
        if (old.outputs()[i] == v) stands_for = now.outputs()[i];
    if (!now.is_alive(stands_for))
        fail_unsupported("value " + quote(old.value(v).name) +
                         " has no counterpart after the rewrite");
    return stands_for;
}

RegionOutputs region_outputs(const Graph& old, const Graph& now, const Nodes& old_nodes) {
    RegionOutputs outputs;
    for (NodeId id : old.nodes()) {
        if (!old_nodes.contains(id)) continue;
        for (ValueId v : old.node(id).outputs) {
            if (!v || !is_read_outside(old, v, old_nodes)) continue;
            outputs.after.push_back({counterpart(old, now, v), old.value(v).name});
            outputs.before.push_back({v, old.value(v).name});
        }
    }
    if (outputs.before.empty())
        fail_unsupported("nothing that the rewrite touched leaves its place");
    return outputs;
}

/// What the place reads before or after, with what leaves it unchanged; all there before.
std::vector<Port> region_inputs(const Graph& old, const Graph& now, const Nodes& old_nodes,
                                const Nodes& new_nodes, const RegionOutputs& outputs) {
    std::vector<Port> inputs;
    const auto add_input = [&](ValueId id) {
        if (!old.is_alive(id))
            fail_unsupported("the rewritten place reads " + quote(now.value(id).name) +
                             ", which was not there before");
        if (std::ranges::find(inputs, id, &Port::value) == inputs.end())
            inputs.push_back({id, old.value(id).name});
    };
    for (ValueId id : values_read_by(old, old_nodes)) add_input(id);
    for (ValueId id : values_read_by(now, new_nodes)) add_input(id);
    for (const Port& port : outputs.after) {
        const Value& v = now.value(port.value);
        const bool inside = v.kind == ValueKind::node_output && new_nodes.contains(v.producer);
        if (!inside && !v.is_constant()) add_input(port.value);
    }
    return inputs;
}

}  // namespace

RewriteRegion cut_region(const Model& before, const Model& after, const AppliedRewrite& rewrite,
                         const NamedValues& inputs, const GuardOptions& guarding,
                         const Progress& progress) {
    const Graph &old = before.graph, &now = after.graph;
    const Nodes old_nodes = touched_nodes(old, now, rewrite);
    Nodes new_nodes;
    for (NodeId id : now.nodes())
        if (!old.is_alive(id) || old_nodes.contains(id)) new_nodes.insert(id);
    if (old_nodes.empty() && new_nodes.empty()) fail_unsupported("the rewrite changed no node");

    const RegionOutputs outputs = region_outputs(old, now, old_nodes);
    const std::vector<Port> old_inputs = region_inputs(old, now, old_nodes, new_nodes, outputs);
    std::vector<Port> new_inputs;
    for (const Port& port : old_inputs)
        new_inputs.push_back({now.is_alive(port.value) ? port.value : ValueId{}, port.name});

    RewriteRegion region;
    region.inputs = record(before, old_inputs, inputs, guarding, progress);
    std::map<std::string, Type> types;
    for (const auto& [name, value] : region.inputs) {
        const Tensor& t = value.tensor();
        types[name] = Type::tensor(t.dtype(), SymbolicShape(t.shape().begin(), t.shape().end()));
    }
    region.before = cut(before, old_nodes, old_inputs, outputs.before, types);
    region.after = cut(after, new_nodes, new_inputs, outputs.after, types);
    GuardOptions alone = guarding;
    alone.inputs = region.inputs;
    alone.seeds = {0};
    alone.dimensions.clear();
    region.report = guard(region.before, region.after, alone, progress);
    return region;
}

}  // namespace lapidary
