// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/mend_for_readers.h"

#include <memory>
#include <unordered_set>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>

#include "graph/ir_version.h"
#include "graph/reader_demands.h"
#include "graph/traversal.h"
#include "passes/lowering/rounded_pools.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

// opsets
constexpr std::int64_t first_identity_of_sequences = 14, first_identity_of_optionals = 16;

constexpr std::string_view rounding_pass = "round_windows_down";

void name_nodes_apart(PassContext& context) {
    const std::vector<NodeId> doubles = nodes_of_taken_names(context.graph());
    if (doubles.empty() || !context.may_rewrite()) return;
    std::unordered_set<std::string> taken;
    for (const NodeId id : context.nodes()) taken.insert(context.graph().node(id).name);
    for (const NodeId id : doubles) {
        const std::string name = context.graph().node(id).name;
        std::size_t number = 1;
        while (!taken.insert(name + "_" + std::to_string(number)).second) ++number;
        context.edit().rename(id, name + "_" + std::to_string(number));
    }
    context.record(fmt::format("{} named apart from an earlier node of the same name",
                               count_text(std::ssize(doubles), "node")));
}

bool can_pass_through(const Type& type, std::int64_t opset) {
    if (type.kind == Type::Kind::sequence) return opset >= first_identity_of_sequences;
    if (type.kind == Type::Kind::optional) return opset >= first_identity_of_optionals;
    return type.is_tensor();
}

void write_identities(PassContext& context) {
    for (const std::size_t index : outputs_from_outside(context.graph())) {
        std::vector<ValueId> outputs(context.graph().outputs().begin(),
                                     context.graph().outputs().end());
        const Value outer = context.graph().value(outputs[index]);
        if (!can_pass_through(outer.type, context.opset()) || !context.may_rewrite()) continue;
        outputs[index] = context.node("Identity", {outer.id}, {}, outer.name + "_returned");
        context.edit().set_outputs(std::move(outputs));
        context.record("returns " + quote(outer.name) +
                       " of the graph around it through an Identity");
    }
}

void allow_in_version(PassContext& context) {
    for (const NodeId id : context.nodes()) {
        const Node node = context.graph().node(id);
        const int rank = node.inputs.empty() ? -1 : context.scope().rank(node.inputs[0]);
        if (rank < 0 || forbidden_by_version(node).empty() || !context.may_rewrite()) continue;
        context.edit().set_attribute(id, attr("axis", rank + node.int_attribute("axis", 1)));
        context.record("axis counted from the front");
    }
}

void leave_shapes_out(PassContext& context) {
    const std::vector<ValueId> found = shapes_that_mislead(context.graph());
    if (found.empty() || !context.may_rewrite()) return;
    for (const ValueId id : found) context.edit().set_declared(id, false);
    context.record(
        "shapes of values are left out, for ONNX Runtime 1.18 to 1.22 read those of a Squeeze "
        "without axes "
        "wrongly");
}

void round_windows_down(PassContext& context) {
    std::size_t count = 0;
    for (const NodeId id : context.nodes()) {
        if (!rounds_up_for_nothing(context.graph(), context.graph().node(id)) ||
            !context.may_rewrite())
            continue;
        context.edit().set_attribute(id, attr("ceil_mode", 0));
        ++count;
    }
    if (count > 0)
        context.record(fmt::format("ceil_mode left out of {}",
                                   count_text(static_cast<std::int64_t>(count), "pool")));
}

std::span<const PassEntry> entries() {
    static const std::vector<PassEntry> list{
        {PassInfo{"name_nodes_apart", Level::basic, 0, "all", true, "",
                  "Gives nodes of one name their own names."},
         [] { return PassBody{.run = name_nodes_apart}; }},
        {PassInfo{"write_identities", Level::basic, 0, "all", true, "",
                  "Returns outer values through Identity."},
         [] { return PassBody{.run = write_identities}; }},
        {PassInfo{"allow_in_version", Level::basic, 0, "all", true, "",
                  "Keeps to what the operator's version allows."},
         [] { return PassBody{.run = allow_in_version}; }},
        {PassInfo{"leave_shapes_out", Level::basic, 0, "all", true, "",
                  "Leaves out shapes that readers draw on wrongly."},
         [] { return PassBody{.run = leave_shapes_out}; }},
        {PassInfo{rounding_pass, Level::basic, 0, "all", true, "",
                  "Leaves out ceil_mode where it adds no window."},
         [] { return PassBody{.run = round_windows_down}; }},
    };
    return list;
}

bool has_unnamed_graph(const Graph& graph) {
    bool found = false;
    for_each_graph(graph, [&](const Graph& inner, const std::string&) {
        found = found || inner.name().empty();
    });
    return found;
}

/// ONNX's checker refuses graphs without a name, bodies too.
void name_graphs(Graph& graph, const std::string& name) {
    if (!has_unnamed_graph(graph)) return;
    GraphEdit edit(graph);
    if (graph.name().empty()) edit.set_name(name);
    for (const NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end()))
        for (const Attribute& attribute : std::vector<Attribute>(graph.node(id).attributes)) {
            const auto* inner = std::get_if<GraphPtr>(&attribute.value);
            if (!inner || !*inner || !has_unnamed_graph(**inner)) continue;
            auto named = std::make_shared<Graph>(**inner);
            name_graphs(*named, attribute.name);
            Attribute replaced = attribute;
            replaced.value = GraphPtr(std::move(named));
            edit.set_attribute(id, std::move(replaced));
        }
}

/// Why a reader needs the rewrite.
std::string_view reason_for(const Rewrite& rewrite) {
    return rewrite.pass == rounding_pass
               ? "ONNX Runtime before 1.21 counts a window that begins in the padding"
               : "ONNX Runtime refuses the file otherwise";
}

bool is_refused_elsewhere(const Model& model) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        found = found || !nodes_of_taken_names(graph).empty() ||
                !outputs_from_outside(graph).empty() || !shapes_that_mislead(graph).empty();
        for (const NodeId id : graph.nodes())
            found = found || !forbidden_by_version(graph.node(id)).empty() ||
                    rounds_up_for_nothing(graph, graph.node(id));
    });
    return found;
}

}  // namespace

MendingResult mend_for_readers(Model& model, const Progress& progress) {
    MendingResult result;
    name_graphs(model.graph, "main");
    // nearly always, and a pipeline infers the model anew
    if (!is_refused_elsewhere(model)) return result;
    const OptimizeOptions options;
    Pipeline pipeline(model, options, progress, entries());
    pipeline.run();
    result.rewrites = pipeline.take_report().rewrites;
    for (const AppliedRewrite& applied : result.rewrites)
        result.notes.push_back(fmt::format("{}{}: {}", applied.rewrite.remark,
                                           in_graph(applied.place), reason_for(applied.rewrite)));
    return result;
}

std::string write_least_ir_version(Model& model) {
    constexpr std::int64_t first_with_plain_initializers = 4;
    const std::int64_t before = model.ir_version, least = least_ir_version(model);
    // Below 4 an input with a default is a constant, which raising the version would change.
    if (least == before || before < first_with_plain_initializers) return {};
    model.ir_version = least;
    return fmt::format(
        "IR version {} in place of {}: the oldest that may hold opset {} and what is in the file",
        least, before, model.opset());
}

}  // namespace lapidary
