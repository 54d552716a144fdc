// SPDX-License-Identifier: Apache-2.0
//   before:  y = com.microsoft::EmbedLayerNormalization(Cast(ids), ...)      ids may be below zero
//   after:   y = com.microsoft::EmbedLayerNormalization(Gather([0, 1, .. rows - 1], ids), ...)
// ONNX Runtime's operator refuses ids below zero, which the Gathers that it was made of count from
// the end. One that the file has itself asks for none. Gather counts them as those did, refuses the
// same ones and writes int32, so that no Cast is needed. Where the table's number of rows is not
// known: Where(ids < 0, ids + rows, ids).
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "graph/traversal.h"
#include "passes/basic/rules/value_range.h"
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"
#include "rewrite/constant_math.h"
#include "rewrite/pipeline.h"

namespace lapidary {
namespace {

struct Table {
    std::size_t ids, rows;  // inputs
};
constexpr Table tables[] = {{0, 2}, {1, 4}, {8, 3}};

/// A constant whose element i is i.
bool are_row_numbers(const Tensor* t) {
    if (!t || t->rank() != 1 || (t->dtype() != DType::i32 && t->dtype() != DType::i64))
        return false;
    const std::vector<std::int64_t> numbers = to_int64s(*t);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

bool counts_from_front(const Scope& scope, ValueId ids) {
    if (range_of(scope, ids).low >= 0) return true;
    const Node* choice = scope.producer(ids);
    if (choice && choice->op_type == "Gather" && choice->domain.empty())
        return are_row_numbers(scope.constant(choice->inputs[0]));
    if (!choice || choice->op_type != "Where" || !choice->domain.empty()) return false;
    const Node* test = scope.producer(choice->inputs[0]);
    return test && test->op_type == "Less" && test->inputs[0] == choice->inputs[2] &&
           scalar_of(scope.constant(test->inputs[1])) == 0.0;
}

bool is_embedding(const Node& node) {
    return node.op_type == "EmbedLayerNormalization" && node.domain == "com.microsoft";
}

/// The embeddings of the source model, by the names of their outputs, which passes keep.
std::set<std::string> stored_embeddings(const Model& model) {
    std::set<std::string> names;
    for_each_graph(model.graph, [&](const Graph& graph, const std::string&) {
        for (const NodeId id : graph.nodes())
            if (const Node& node = graph.node(id);
                is_embedding(node) && !node.outputs.empty() && node.outputs[0])
                names.insert(graph.value(node.outputs[0]).name);
    });
    return names;
}

/// True if the value is the output of such an embedding, or replaces one whose name an Identity
/// took.
bool is_stored(const PassContext& context, const Node& node, const Model& source,
               const std::set<std::string>& names) {
    if (node.outputs.empty() || !node.outputs[0]) return false;
    if (names.contains(context.graph().value(node.outputs[0]).name)) return true;
    return !context.scope().is_subgraph() && std::ranges::any_of(node.origins, [&](NodeId origin) {
        return source.graph.is_alive(origin) && is_embedding(source.graph.node(origin));
    });
}

/// Numbers of rows, once for all tables of as many.
using RowNumbers = std::map<std::pair<std::int64_t, DType>, ValueId>;

/// The ids as an integer value, without a Cast from one integer type to another.
ValueId before_cast(const Scope& scope, ValueId ids) {
    const Node* cast = scope.producer(ids);
    if (!cast || cast->op_type != "Cast" || !cast->domain.empty()) return ids;
    const DType from = scope.dtype(cast->inputs[0]);
    return from == DType::i64 || from == DType::i32 ? cast->inputs[0] : ids;
}

/// The ids of one table counted from its front; empty where the opset has no Where to choose them
/// by.
ValueId counted_from_front(PassContext& context, lowering::PlainNodes& plain, ValueId ids,
                           ValueId table, RowNumbers& row_numbers) {
    const DType type = plain.dtype(ids);
    if (const std::int64_t rows = context.scope().dim(table, 0); rows >= 0) {
        ValueId& numbers = row_numbers[{rows, type}];
        if (!numbers) {
            std::vector<double> counted(static_cast<std::size_t>(rows));
            std::iota(counted.begin(), counted.end(), 0.0);
            numbers = context.constant("row_numbers", tensor_of_doubles(type, {rows}, counted));
        }
        return plain.gather(numbers, before_cast(context.scope(), ids), 0);
    }
    constexpr std::int64_t first_where = 9;
    if (context.opset() < first_where) return {};
    const ValueId count = plain.cast(plain.dim_scalar(table, 0), type);
    return plain.op("Where",
                    {plain.op("Less", {ids, plain.scalar(type, 0)}), plain.add(ids, count), ids});
}

void count_from_front(PassContext& context, const Model& source,
                      const std::set<std::string>& stored) {
    RowNumbers row_numbers;
    for (NodeId id : context.nodes()) {
        const Node node = context.graph().node(id);
        if (!is_embedding(node) || is_stored(context, node, source, stored)) continue;
        lowering::PlainNodes plain(node, context);
        for (const auto& [ids_input, rows_input] : tables) {
            const ValueId ids = lowering::input_of(node, ids_input),
                          table = lowering::input_of(node, rows_input);
            if (!ids || !table || counts_from_front(context.scope(), ids)) continue;
            const Node* writer = context.scope().producer(ids);
            const std::vector<NodeId> above =
                writer ? std::vector{writer->id} : std::vector<NodeId>{};
            const ValueId front = counted_from_front(context, plain, ids, table, row_numbers);
            if (!front) continue;
            context.edit().set_input(id, ids_input, front);
            context.erase_unused(above);
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

std::vector<AppliedRewrite> count_ids_from_front(Model& model, const Model& source,
                                                 const Progress& progress) {
    if (!has_embedding(model)) return {};
    const std::set<std::string> stored = stored_embeddings(source);
    const PassEntry entry{PassInfo{"count_ids_from_front", Level::basic, 0, "all", true, "",
                                   "Counts ids of embeddings from the front."},
                          [&] {
                              return PassBody{.run = [&](PassContext& context) {
                                  count_from_front(context, source, stored);
                              }};
                          }};
    const OptimizeOptions options;
    Pipeline pipeline(model, options, progress, {&entry, 1});
    pipeline.run();
    return pipeline.take_report().rewrites;
}

}  // namespace lapidary
