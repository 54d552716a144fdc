// SPDX-License-Identifier: Apache-2.0
#include "passes/opset/lower_opset.h"

#include <algorithm>

#include <fmt/format.h>
#include <lapidary/base/error.h>

#include "graph/inline_functions.h"
#include "graph/traversal.h"
#include "ops/schemas/schema.h"
#include "passes/opset/convert_opset.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

constexpr std::size_t listed_problems = 5;

/// True if the attribute has the default of the schema.
bool holds_default(const Attribute& attribute, const OpSchema& schema) {
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
std::string problem_at(std::int64_t opset, const Graph& graph, Node node) {
    const OpSchema* newer = find_schema(node.domain, node.op_type, node.version);
    const OpSchema* older = find_schema(node.domain, node.op_type, opset);
    if (!newer || newer == older) return {};
    const std::string at = fmt::format("at opset {} ", opset);
    if (!older) return fmt::format("the operator came with opset {}", newer->since_version);
    if (const std::int64_t version = version_of_change(node, opset); version > 0)
        return fmt::format("its form changed with opset {}", version);
    for (const std::string& name : superfluous_attributes(node, *older, *newer))
        std::erase_if(node.attributes, [&](const Attribute& a) { return a.name == name; });
    if (const auto violation = schema_violation(*older, graph, node)) return at + *violation;
    const std::string output = output_violation(*older, graph, node);
    return output.empty() ? output : at + output + ", which it cannot";
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
    std::string list;
    for (std::size_t i = 0; i < std::min(problems.size(), listed_problems); ++i)
        list += (i ? "; " : "") + problems[i];
    if (problems.size() > listed_problems)
        list += fmt::format("; and {} more", problems.size() - listed_problems);
    fail_unsupported(fmt::format("the model cannot be written as opset {}{}: {}", opset,
                                 domain.empty() ? std::string() : " of " + domain, list));
}

}  // namespace

void lower_opset(Model& model, const std::string& domain, std::int64_t opset,
                 const Progress& progress) {
    if (!model.functions.empty()) {
        inline_functions(model, {}, progress.cancel);
        model.functions.clear();
    }
    refuse_newer_nodes(model, domain, opset);
    const PassEntry entry{
        PassInfo{"lower_opset", Level::basic, 0, "all", true, "",
                 "Gives operators the number of an older opset."},
        [&] {
            return PassBody{.run = [&](PassContext& context) {
                for (const NodeId id : context.nodes()) {
                    const Node node = context.graph().node(id);
                    if (node.domain != domain || node.version <= opset) continue;
                    const OpSchema* newer = find_schema(domain, node.op_type, node.version);
                    const OpSchema* older = find_schema(domain, node.op_type, opset);
                    if (newer && older && newer != older)
                        for (const std::string& name : superfluous_attributes(node, *older, *newer))
                            context.edit().remove_attribute(id, name);
                    context.edit().set_operator(id, domain, node.op_type, opset);
                    context.touched();
                }
            }};
        }};
    const OptimizeOptions options;
    model.opset_imports[domain] = opset;
    Pipeline(model, options, progress, {&entry, 1}).run();
}

}  // namespace lapidary
