// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/graph_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "edit/changes/port_changes.h"
#include "edit/node_names.h"
#include "graph/copy_model.h"
#include "graph/cut_nodes.h"
#include "graph/reader_demands.h"
#include "graph/splice_graph.h"
#include "ops/dimensions/dim_algebra.h"
#include "passes/opset/convert_opset.h"

namespace lapidary {
namespace {

std::set<NodeId> nodes_before(const Graph& graph, const std::vector<ValueId>& values) {
    std::set<NodeId> found;
    std::vector<ValueId> open = values;
    while (!open.empty()) {
        const Value& value = graph.value(open.back());
        open.pop_back();
        if (value.kind != ValueKind::node_output || !found.insert(value.producer).second) continue;
        const Node& node = graph.node(value.producer);
        for (const ValueId id : node.inputs)
            if (id) open.push_back(id);
        open.insert(open.end(), node.captures.begin(), node.captures.end());
    }
    return found;
}

Model part_of(const Model& model, const std::set<NodeId>& nodes,
              const std::vector<ValueId>& outputs, const Progress& progress) {
    std::vector<CutPort> in, out;
    for (const ValueId id : values_read_by(model.graph, nodes)) {
        const Value& value = model.graph.value(id);
        if (value.type.kind == Type::Kind::unknown)
            fail_unsupported("the type of " + quote(value.name) +
                             ", which would be an input of a part, is not known");
        in.push_back({id, value.name, value.type});
    }
    for (const ValueId id : outputs) out.push_back({id, model.graph.value(id).name, {}});
    Model part = cut_nodes(copy_model(model, progress.cancel), nodes, in, out);
    std::erase_if(part.metadata,
                  [](const auto& entry) { return entry.first.starts_with("lapidary."); });
    infer_types(part, {}, progress);
    return part;
}

void add_once(std::vector<ValueId>& values, ValueId id) {
    if (std::ranges::find(values, id) == values.end()) values.push_back(id);
}

/// Both models get the higher opset of ai.onnx, and the first the imports of the second.
void reconcile_imports(Model& first, Model& second, const Progress& progress) {
    const std::int64_t opset = std::max(first.opset(), second.opset());
    for (Model* model : {&first, &second})
        if (model->opset() != 0 && model->opset() < opset) convert_opset(*model, opset, progress);
    for (const auto& [domain, version] : second.opset_imports) {
        const auto [place, is_new] = first.opset_imports.emplace(domain, version);
        if (!is_new && place->second != version)
            fail_input("the models import versions " + std::to_string(place->second) + " and " +
                       std::to_string(version) + " of domain " + quote(domain) +
                       ", expected the same");
    }
    first.ir_version = std::max(first.ir_version, second.ir_version);
    for (const Function& function : second.functions) {
        if (first.find_function(function.domain, function.name, function.overload))
            fail_input("both models have a function " +
                       quote(function.domain + "::" + function.name));
        first.functions.push_back(function);
    }
    first.generated_dimensions.insert(second.generated_dimensions.begin(),
                                      second.generated_dimensions.end());
}

std::string type_difference(const Type& from, const Type& to) {
    if (from.kind == Type::Kind::unknown || to.kind == Type::Kind::unknown) return {};
    const std::string both = to_string(from) + " and " + to_string(to);
    if (from.kind != to.kind || from.dtype != to.dtype) return both;
    if (!from.shape || !to.shape) return {};
    if (from.shape->size() != to.shape->size()) return both;
    for (std::size_t i = 0; i < from.shape->size(); ++i)
        if (surely_different((*from.shape)[i], (*to.shape)[i]) && (*from.shape)[i].is_known() &&
            (*to.shape)[i].is_known())
            return both;
    return {};
}

/// Inputs of the second model -> values of the first.
ValueMap matched_inputs(const Graph& first, const Graph& second, const JoinOptions& options) {
    ValueMap map;
    const auto match = [&](ValueId from, ValueId to) {
        const Value &a = first.value(from), &b = second.value(to);
        if (const std::string both = type_difference(a.type, b.type); !both.empty())
            fail_input(quote(a.name) + " cannot be read as " + quote(b.name) +
                       ": their types are " + both);
        if (!map.emplace(to, from).second)
            fail_input("input " + quote(b.name) + " is named by two pairs, expected one");
    };
    for (const auto& [from, to] : options.pairs)
        match(find_port(first, from, true), find_port(second, to, false));
    if (options.pairs.empty())
        for (const ValueId to : second.inputs())
            for (const ValueId from : first.outputs())
                if (first.value(from).name == second.value(to).name && !map.contains(to))
                    match(from, to);
    if (map.empty())
        fail_input(
            "no output of the first model has the name of an input of the second: expected pairs "
            "such as boxes->boxes");
    return map;
}

}  // namespace

std::pair<Model, Model> split_model_at(const Model& model, const std::vector<std::string>& values,
                                       const Progress& progress) {
    const Graph& graph = model.graph;
    std::vector<ValueId> seam;
    for (const std::string& name : values) {
        const ValueId id = graph.find_value(name);
        if (!id) fail_input("the model has no value " + quote(name));
        if (graph.value(id).kind != ValueKind::node_output)
            fail_input(quote(name) +
                       " is an input or a constant, expected a value that a node computes");
        add_once(seam, id);
    }
    if (seam.empty()) fail_input("no value is named to split at, expected at least one");
    const std::set<NodeId> before = nodes_before(graph, seam);
    std::set<NodeId> after;
    for (const NodeId id : graph.nodes())
        if (!before.contains(id)) after.insert(id);
    if (after.empty())
        fail_input("all nodes are needed to compute these values: the second part would be empty");
    for (const ValueId id : values_read_by(graph, after)) {
        const Value& value = graph.value(id);
        if (value.kind == ValueKind::node_output && std::ranges::find(seam, id) == seam.end())
            fail_input("the second part reads " + quote(value.name) + ", which " +
                       graph.node(value.producer).describe() +
                       " of the first part computes: split there too");
    }
    std::vector<ValueId> first_outputs = seam, second_outputs;
    for (const ValueId id : graph.outputs()) {
        const Value& value = graph.value(id);
        const bool is_first =
            value.kind != ValueKind::node_output || before.contains(value.producer);
        add_once(is_first ? first_outputs : second_outputs, id);
    }
    if (second_outputs.empty())
        fail_input("the second part would have no output: nothing behind these values is one");
    return {part_of(model, before, first_outputs, progress),
            part_of(model, after, second_outputs, progress)};
}

void join_models(Model& first, Model second, const JoinOptions& options, const Progress& progress) {
    Model joined = copy_model(first, progress.cancel);
    reconcile_imports(joined, second, progress);
    const Graph& body = second.graph;
    ValueMap map = matched_inputs(joined.graph, body, options);
    const std::size_t old_slots = joined.graph.node_slots();
    GraphEdit edit(joined.graph, "edit");
    edit.set_default_version(joined.opset());
    const auto port_name = [&](ValueId id) {
        std::string name = options.prefix + body.value(id).name;
        if (const ValueId taken = joined.graph.find_value(name))
            fail_input("the name " + quote(name) +
                       " of an input or output of the second model is taken in the first: give a "
                       "prefix");
        return name;
    };
    std::vector<ValueId> outputs;
    for (const ValueId id : joined.graph.outputs())
        if (options.keep_joined_outputs ||
            std::ranges::none_of(map, [&](const auto& pair) { return pair.second == id; }))
            outputs.push_back(id);
    for (const ValueId id : body.inputs()) {
        if (map.contains(id)) continue;
        map[id] = edit.add_input(port_name(id), body.value(id).type);
        if (body.value(id).constant) edit.set_constant(map[id], *body.value(id).constant);
    }
    // An output of the first that is no output any more may keep its name: those names are needed
    // only where the second has an output of the same name.
    edit.set_outputs(outputs);
    std::vector<std::pair<ValueId, std::string>> wanted;
    for (const ValueId id : body.outputs()) {
        const std::string name = options.prefix + body.value(id).name;
        if (const ValueId taken = joined.graph.find_value(name)) {
            const bool is_free = joined.graph.value(taken).output_uses == 0 &&
                                 joined.graph.value(taken).kind != ValueKind::input;
            if (!is_free) port_name(id);
            edit.rename(taken, edit.fresh_name(name + "_first"));
        }
        wanted.emplace_back(id, name);
    }
    splice_nodes(edit, body, map, options.prefix, {});
    for (const auto& [id, name] : wanted) {
        const bool is_own = body.value(id).kind == ValueKind::node_output &&
                            std::ranges::find(outputs, map.at(id)) == outputs.end();
        outputs.push_back(is_own ? map.at(id) : edit.node("Identity", {map.at(id)}));
        if (joined.graph.value(outputs.back()).name != name) edit.rename(outputs.back(), name);
    }
    edit.set_outputs(outputs);
    for (std::size_t i = old_slots; i < joined.graph.node_slots(); ++i)
        if (const NodeId id{static_cast<std::uint32_t>(i)}; joined.graph.is_alive(id))
            edit.set_origins(id, {id});
    give_fresh_names(edit, nodes_of_taken_names(joined.graph));
    edit.record("joined a model of " + std::to_string(body.node_count()) + " nodes");
    infer_types(joined, {}, progress);
    first = std::move(joined);
}

}  // namespace lapidary
