// SPDX-License-Identifier: Apache-2.0
//   before:  y = com.microsoft::EmbedLayerNormalization(ids, ...)      ids may be below zero
//   after:   y = com.microsoft::EmbedLayerNormalization(Where(ids < 0, ids + rows, ids), ...)
// ONNX Runtime's operator refuses ids below zero, which the Gathers that it was made of count from the end.
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

void count_from_front(PassContext& context) {
    const Scope& scope = context.scope();
    for (NodeId id : context.nodes()) {
        const Node node = context.graph().node(id);
        if (node.op_type != "EmbedLayerNormalization" || node.domain != "com.microsoft") continue;
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

std::span<const PassEntry> entries() {
    static const std::vector<PassEntry> list{
        {PassInfo{"count_ids_from_front", Level::basic, 0, "all", true, "", "Counts ids of embeddings from the front."},
         [] { return PassBody{.run = count_from_front, .least_opset = 9}; }}};
    return list;
}

}  // namespace

void count_ids_from_front(Model& model, const Progress& progress) {
    const OptimizeOptions options;
    Pipeline(model, options, progress, entries()).run();
}

}  // namespace lapidary
