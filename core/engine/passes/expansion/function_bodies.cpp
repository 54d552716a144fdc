// SPDX-License-Identifier: Apache-2.0
#include "passes/expansion/function_bodies.h"

#include <algorithm>
#include <unordered_map>

#include <lapidary/base/error.h>

#include "graph/inline_functions.h"
#include "ops/schemas/schema.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"
#include "passes/opset/convert_down.h"
#include "passes/opset/lower_opset.h"
#include "passes/opset/one_opset.h"
#include "passes/opset/step_nodes.h"
#include "passes/user/user_passes.h"
#include "rewrite/pipeline.h"

namespace lapidary {

namespace opset {
#define LAPIDARY_OPSET_DOWN_STEP(op, version, function, summary) \
    Outcome function(const Node& node, PassContext& context);
#include "passes/opset/opset_down_steps.inc"
#undef LAPIDARY_OPSET_DOWN_STEP
}  // namespace opset

namespace {

using IdSet = std::set<NodeId>;

const RuleText& body_rules() {
    static const RuleText rules{
        "function bodies",
#include "passes/expansion/elementwise_bodies.inc"
#include "passes/expansion/tensor_bodies.inc"
    };
    return rules;
}

Outcome attention_parts(const Node& node, PassContext& context) {
    if (std::string problem = older_form_problem(23, context.graph(), node); !problem.empty())
        return declined(std::move(problem));
    return opset::attention_before_23(node, context);
}

Outcome group_normalization_parts(const Node& node, PassContext& context) {
    return node.version >= 21 ? opset::group_normalization_before_21(node, context)
                              : opset::group_normalization_before_18(node, context);
}

Outcome layer_normalization_parts(const Node& node, PassContext& context) {
    lowering::PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0);
    const bool has_statistics = opset::wants_outputs_from(node, context, 1);
    if (node.int_attribute("stash_type", 1) != 1)
        return declined("it is computed in another type than f32");
    if (!is_float(plain.dtype(x))) return declined("the element type of its input is not known");
    if (plain.dtype(x) == DType::f64 && has_statistics)
        return declined("its statistics are read, which are f32 for an input of f64");
    if (plain.rank(x) < 0) return declined("the rank of its input is not known");
    ValueId mean, inverse;
    const ValueId y = plain.normalize(
        x, node.inputs.at(1), lowering::input_of(node, 2), node.int_attribute("axis", -1),
        plain.rank(x), static_cast<double>(node.float_attribute("epsilon", 1e-5f)), false,
        has_statistics ? &mean : nullptr, has_statistics ? &inverse : nullptr);
    return plain.finish({y, mean, inverse}, "wrote out LayerNormalization");
}

/// Bodies that need more than rules can say.
const std::unordered_map<std::string, LowerNode>& body_functions() {
    static const std::unordered_map<std::string, LowerNode> functions{
        {"Attention", &attention_parts},
        {"GroupNormalization", &group_normalization_parts},
        {"LayerNormalization", &layer_normalization_parts},
        {"RMSNormalization", &opset::rms_normalization_before_23},
        {"RotaryEmbedding", &opset::rotary_embedding_before_23},
        {"Trilu", &opset::trilu_before_14}};
    return functions;
}

PassBody functions_of_bodies(const IdSet& meant) {
    return {.run =
                [&meant](PassContext& context) {
                    for (const NodeId id : context.nodes()) {
                        if (!meant.contains(id)) continue;
                        const Node node = context.graph().node(id);
                        const auto body = body_functions().find(node.op_type);
                        if (!node.domain.empty() || body == body_functions().end()) continue;
                        const Outcome outcome = body->second(node, context);
                        if (outcome.done) context.record(outcome.text);
                        else if (!outcome.text.empty()) context.miss(id, outcome.text);
                    }
                },
            .main_graph_only = true};
}

PassBody rules_of_bodies(const IdSet& meant) {
    static const std::vector<Rule> rules = rewrites_of(body_rules());
    PassBody body{.rules = rules, .main_graph_only = true};
    for (Rule& rule : body.rules)
        rule.rewrite = [rewrite = rule.rewrite, &meant](const pattern::Match& match,
                                                        PassContext& context) {
            return meant.contains(match.root()) ? rewrite(match, context) : not_concerned();
        };
    return body;
}

std::string reason_of_node(const Node& node, std::span<const NearMiss> misses) {
    for (const NearMiss& miss : misses)
        if (miss.place.is_main() && miss.node == node.id) return miss.reason;
    std::string known;
    for (const std::string& name : operators_with_parts())
        known += (known.empty() ? "" : ", ") + name;
    return "its parts are not known; those of functions of the model, of fused operators of "
           "com.microsoft and of these operators are: " +
           known;
}

std::vector<NearMiss> run_bodies(Model& model, const IdSet& meant, const Progress& progress) {
    const PassEntry entries[] = {
        {PassInfo{"function_bodies", Level::basic, 0, "all", true, "", "Writes operators out."},
         [&meant] { return functions_of_bodies(meant); }},
        {PassInfo{"function_bodies", Level::basic, 1, "all", true, "", "Writes operators out."},
         [&meant] { return rules_of_bodies(meant); }}};
    OptimizeOptions options;
    options.near_misses = true;
    Pipeline pipeline(model, options, progress, entries);
    pipeline.run();
    return pipeline.take_report().near_misses;
}

}  // namespace

std::vector<UnexpandedNode> expand_nodes(Model& model, std::span<const NodeId> nodes,
                                         const Limits& limits, const Progress& progress) {
    const Graph& graph = model.graph;
    const bool has_call = std::ranges::any_of(nodes, [&](NodeId id) {
        const Node& node = graph.node(id);
        return model.find_function(node.domain, node.op_type, node.overload) != nullptr;
    });
    inline_calls(model, nodes, limits, progress.cancel);
    if (has_call) convert_to_one_opset(model, progress);
    IdSet meant;
    bool has_contrib = false;
    for (const NodeId id : nodes)
        if (graph.is_alive(id)) {
            meant.insert(id);
            has_contrib = has_contrib || !graph.node(id).domain.empty();
        }
    std::vector<NearMiss> misses;
    if (has_contrib)
        misses = lower_contrib(
                     model,
                     [&](const Graph& place, const Node& node) {
                         return &place == &graph && !node.domain.empty() && meant.contains(node.id);
                     },
                     progress)
                     .refused;
    std::erase_if(meant, [&](NodeId id) { return !graph.is_alive(id); });
    if (!meant.empty())
        std::ranges::move(run_bodies(model, meant, progress), std::back_inserter(misses));
    std::vector<UnexpandedNode> stayed;
    for (const NodeId id : nodes)
        if (graph.is_alive(id)) stayed.push_back({id, reason_of_node(graph.node(id), misses)});
    return stayed;
}

const std::set<std::string>& operators_with_parts() {
    static const std::set<std::string> known = [] {
        std::set<std::string> names = roots_of_rules(body_rules());
        for (const auto& [name, function] : body_functions()) names.insert(name);
        return names;
    }();
    return known;
}

}  // namespace lapidary
