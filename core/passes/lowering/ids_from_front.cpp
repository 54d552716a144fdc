// SPDX-License-Identifier: Apache-2.0
//   before:  y = com.microsoft::EmbedLayerNormalization(ids, ...)      ids may be below zero
//   after:   y = com.microsoft::EmbedLayerNormalization(Where(ids < 0, ids + rows, ids), ...)
// ONNX Runtime's operator refuses ids below zero, which the Gathers that it was made of count from the end. One that
// the file has itself asks for none.
#include <algorithm>
#include <set>

#include "graph/traversal.h"
#include "passes/basic/rules/value_range.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

struct Table {
    std::size_t ids, rows;  // inputs
};
constexpr Table tables[] = {{0, 2}, {1, 4}, {8, 3}};

bool counts_from_front(const Scope& scope, ValueId ids) {
    if (range_of(scope, ids).low >= 0) return true;
    const Node* choice = scope.producer(ids);
    if (!choice || choice->op_type != "Where" || !choice->domain.empty()) return false;
    const Node* test = scope.producer(choice->inputs[0]);
    return test && test->op_type == "Less" && test->inputs[0] == choice->inputs[2] &&
           scalar_of(scope.constant(test->inputs[1])) == 0.0;
}

bool is_embedding(const Node& node) {
    return node.op_type == "EmbedLayerNormalization" && node.domain == "com.microsoft";
}

/// The embeddings that a model has itself, by what they write: passes keep names of values.
std::set<std::string> stored_embeddings(const Model& model) {
    std::set<std::string> names;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes())
            if (const Node& node = graph.node(id); is_embedding(node) && !node.outputs.empty() && node.outputs[0])
                names.insert(graph.value(node.outputs[0]).name);
    });
    return names;
}

/// The value is a stored embedding's, or stands for one whose name went with an Identity behind it.
bool is_stored(const PassContext& context, const Node& node, const Model& source, const std::set<std::string>& names) {
    if (node.outputs.empty() || !node.outputs[0]) return false;
    if (names.contains(context.graph().value(node.outputs[0]).name)) return true;
    return !context.scope().is_subgraph() && std::ranges::any_of(node.origins, [&](NodeId origin) {
        return source.graph.is_alive(origin) && is_embedding(source.graph.node(origin));
    });
}

void count_from_front(PassContext& context, const Model& source, const std::set<std::string>& stored) {
    const Scope& scope = context.scope();
    for (NodeId id : context.nodes()) {
        const Node node = context.graph().node(id);
        if (!is_embedding(node) || is_stored(context, node, source, stored)) continue;
        lowering::PlainNodes plain(node, context);
        for (const auto& [ids_input, rows_input] : tables) {
            const ValueId ids = lowering::input_of(node, ids_input), table = lowering::input_of(node, rows_input);
            if (!ids || !table || counts_from_front(scope, ids)) continue;
            const DType type = plain.dtype(ids);
            const std::int64_t rows = scope.dim(table, 0);
            const ValueId count = rows >= 0 ? plain.scalar(type, static_cast<double>(rows))
                                            : plain.cast(plain.dim_scalar(table, 0), type);
            const ValueId below = plain.op("Less", {ids, plain.scalar(type, 0)});
            const ValueId front = plain.op("Where", {below, plain.add(ids, count), ids});
            context.edit().set_input(id, ids_input, front);
            context.record("ids below zero are counted from the front");
        }
    }
}

bool has_embedding(const Model& model) {
    bool found = false;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes()) found = found || is_embedding(graph.node(id));
    });
    return found;
}

}  // namespace

std::vector<AppliedRewrite> count_ids_from_front(Model& model, const Model& source, const Progress& progress) {
    if (!has_embedding(model)) return {};
    const std::set<std::string> stored = stored_embeddings(source);
    const PassEntry entry{
        PassInfo{"count_ids_from_front", Level::basic, 0, "all", true, "", "Counts ids of embeddings from the front."},
        [&] {
            return PassBody{.run = [&](PassContext& context) { count_from_front(context, source, stored); },
                            .least_opset = 9};
        }};
    const OptimizeOptions options;
    Pipeline pipeline(model, options, progress, {&entry, 1});
    pipeline.run();
    return pipeline.take_report().rewrites;
}

}  // namespace lapidary
