// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/lower_opset.h"

#include <algorithm>

#include <fmt/format.h>
#include <lapidary/base/error.h>

#include "graph/inline_functions.h"
#include "graph/traversal.h"
#include "ops/schemas/schema.h"
#include "passes/opset/convert_opset.h"
#include "passes/opset/opset_pass.h"

namespace lapidary {
namespace {

/// True if the attribute has the default of the schema, which for a list of dilations is 1 for
/// every axis.
bool holds_default(const Attribute& attribute, const OpSchema& schema) {
    if (attribute.name == "dilations")
        if (const auto* steps = std::get_if<std::vector<std::int64_t>>(&attribute.value))
            return std::ranges::all_of(*steps, [](std::int64_t step) { return step == 1; });
    const SchemaAttribute* known = schema.attribute(attribute.name);
    if (!known || known->default_text.empty()) return false;
    if (const auto* number = std::get_if<std::int64_t>(&attribute.value))
        return std::to_string(*number) == known->default_text;
    const auto* text = std::get_if<std::string>(&attribute.value);
    return text && *text == known->default_text;
}

/// Attributes that the older form lacks, with values that equal its behaviour.
std::vector<std::string> superfluous_attributes(const Node& node, const OpSchema& older,
                                                const OpSchema& newer) {
    std::vector<std::string> names;
    for (const Attribute& attribute : node.attributes)
        if (!older.attribute(attribute.name) && holds_default(attribute, newer))
            names.push_back(attribute.name);
    return names;
}

/// An output whose type the older form does not allow.
std::string output_violation(const OpSchema& schema, const Graph& graph, const Node& node) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i]) continue;
        const SchemaParameter* output = schema.output(i);
        if (!output) return fmt::format("it has {} outputs", node.outputs.size());
        const Type& type = graph.value(node.outputs[i]).type;
        const TypeConstraint* allowed = schema.constraint(output->type);
        if (allowed && type.is_tensor() && type.dtype != DType::undefined &&
            !allowed->allows(type.dtype))
            return fmt::format("it gives {}", name_of(type.dtype));
    }
    return {};
}

/// Why the node does not mean the same in the older opset; empty: it does.
std::string problem_at(std::int64_t opset, const Graph& graph, const Node& node) {
    const OpSchema* newer = find_schema(node.domain, node.op_type, node.version);
    const OpSchema* older = find_schema(node.domain, node.op_type, opset);
    if (newer && older && newer != older)
        if (const std::int64_t version = version_of_change(node, opset); version > 0)
            return fmt::format("its form changed with opset {}", version);
    return older_form_problem(opset, graph, node);
}

void refuse_newer_nodes(const Model& model, const std::string& domain, std::int64_t opset) {
    std::vector<std::string> problems;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string& place) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.domain != domain || node.version <= opset) continue;
            const std::string problem = problem_at(opset, graph, node);
            const std::string where = &graph == &model.graph ? "" : " in " + place;
            if (!problem.empty()) problems.push_back(node.describe() + where + ": " + problem);
        }
    });
    if (problems.empty()) return;
    fail_unsupported(fmt::format("the model cannot be written as opset {}{}: {}", opset,
                                 domain.empty() ? std::string() : " of " + domain,
                                 listed_refusals(problems)));
}

}  // namespace

std::string older_form_problem(std::int64_t opset, const Graph& graph, Node node) {
    const OpSchema* newer = find_schema(node.domain, node.op_type, node.version);
    const OpSchema* older = find_schema(node.domain, node.op_type, opset);
    if (!newer || newer == older) return {};
    if (!older) return fmt::format("the operator came with opset {}", newer->since_version);
    const std::string at = fmt::format("at opset {} ", opset);
    for (const std::string& name : superfluous_attributes(node, *older, *newer))
        std::erase_if(node.attributes, [&](const Attribute& a) { return a.name == name; });
    if (const auto violation = schema_violation(*older, graph, node)) return at + *violation;
    const std::string output = output_violation(*older, graph, node);
    return output.empty() ? output : at + output + ", which it cannot";
}

void take_older_form(GraphEdit& edit, const Node& node, std::int64_t opset) {
    const OpSchema* newer = find_schema(node.domain, node.op_type, node.version);
    const OpSchema* older = find_schema(node.domain, node.op_type, opset);
    if (newer && older && newer != older)
        for (const std::string& name : superfluous_attributes(node, *older, *newer))
            edit.remove_attribute(node.id, name);
    edit.set_operator(node.id, node.domain, node.op_type, opset);
}

void lower_opset(Model& model, const std::string& domain, std::int64_t opset,
                 const Progress& progress) {
    if (!model.functions.empty()) {
        inline_functions(model, {}, progress.cancel);
        model.functions.clear();
    }
    refuse_newer_nodes(model, domain, opset);
    const PassEntry entry{PassInfo{"lower_opset", Level::basic, 0, "all", true, "",
                                   "Gives operators the number of an older opset."},
                          [&] {
                              return PassBody{.run = [&](PassContext& context) {
                                  for (const NodeId id : context.nodes()) {
                                      const Node node = context.graph().node(id);
                                      if (node.domain != domain || node.version <= opset) continue;
                                      take_older_form(context.edit(), node, opset);
                                      context.touched();
                                  }
                              }};
                          }};
    model.opset_imports[domain] = opset;
    run_opset_pass(model, entry, progress);
}

}  // namespace lapidary
