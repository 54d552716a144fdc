// SPDX-License-Identifier: Apache-2.0
// LayerNormalization before opset 17, SimplifiedLayerNormalization, the Skip forms,
// EmbedLayerNormalization.
#include "passes/lowering/lowering.h"
#include "passes/lowering/plain_nodes.h"

namespace lapidary::lowering {
namespace {

struct Normalized {
    ValueId y, mean, inverse;
};

/// By ONNX's own operator where the opset has it and the statistics are not wanted.
Normalized normalized(PlainNodes& plain, ValueId x, ValueId scale, ValueId bias, std::int64_t axis,
                      double epsilon, bool rms, bool statistics) {
    Normalized out;
    const std::vector<Attribute> attributes{attr("axis", axis),
                                            attr("epsilon", static_cast<float>(epsilon))};
    if (!statistics && rms && plain.opset() >= 23)
        out.y = plain.op("RMSNormalization", {x, scale}, attributes);
    else if (!statistics && !rms && plain.opset() >= 17)
        out.y = plain.op("LayerNormalization",
                         bias ? std::vector{x, scale, bias} : std::vector{x, scale}, attributes);
    else
        out.y =
            plain.normalize(x, scale, bias, axis, plain.rank(x), epsilon, rms,
                            statistics ? &out.mean : nullptr, statistics ? &out.inverse : nullptr);
    return out;
}

bool needs_rank(const PlainNodes& plain, ValueId x, std::int64_t axis) {
    return plain.rank(x) < 0 && (axis >= 0 || plain.opset() < 11);
}
const char* no_rank = "the rank of its input is not known";

Outcome skip_normalization(const Node& node, PassContext& context, bool rms) {
    PlainNodes plain(node, context);
    if (needs_rank(plain, node.inputs.at(0), -1)) return declined(no_rank);
    ValueId sum = plain.add(node.inputs.at(0), node.inputs.at(1));
    if (const ValueId bias = input_of(node, rms ? 3 : 4)) sum = plain.add(sum, bias);
    const bool statistics = is_wanted(context, node, 1) || is_wanted(context, node, 2);
    const double epsilon = static_cast<double>(node.float_attribute("epsilon", 1e-12f));
    const Normalized n =
        normalized(plain, sum, node.inputs.at(2), rms ? ValueId{} : input_of(node, 3), -1, epsilon,
                   rms, statistics);
    return plain.finish({n.y, n.mean, n.inverse, sum}, "wrote out " + node.op_type);
}

}  // namespace

Outcome skip_layer_normalization(const Node& node, PassContext& context) {
    return skip_normalization(node, context, false);
}

Outcome skip_simplified_layer_normalization(const Node& node, PassContext& context) {
    if (is_wanted(context, node, 1))
        return declined("its output mean is read, which it does not compute");
    return skip_normalization(node, context, true);
}

Outcome layer_normalization(const Node& node, PassContext& context) {
    if (node.version >= 17) return not_concerned();
    PlainNodes plain(node, context);
    const std::int64_t axis = node.int_attribute("axis", -1);
    if (needs_rank(plain, node.inputs.at(0), axis)) return declined(no_rank);
    const bool statistics = is_wanted(context, node, 1) || is_wanted(context, node, 2);
    const Normalized n =
        normalized(plain, node.inputs[0], node.inputs.at(1), input_of(node, 2), axis,
                   static_cast<double>(node.float_attribute("epsilon", 1e-5f)), false, statistics);
    return plain.finish({n.y, n.mean, n.inverse}, "wrote out LayerNormalization");
}

Outcome simplified_layer_normalization(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const std::int64_t axis = node.int_attribute("axis", -1);
    if (needs_rank(plain, node.inputs.at(0), axis)) return declined(no_rank);
    const bool statistics = is_wanted(context, node, 1);
    const Normalized n =
        normalized(plain, node.inputs[0], node.inputs.at(1), {}, axis,
                   static_cast<double>(node.float_attribute("epsilon", 1e-5f)), true, statistics);
    return plain.finish({n.y, n.inverse}, "wrote out SimplifiedLayerNormalization");
}

Outcome embed_layer_normalization(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    if (plain.opset() < 10)
        return declined("slicing the position table to the sequence needs opset 10");
    const ValueId ids = node.inputs.at(0), words = node.inputs.at(2), positions = node.inputs.at(3);
    const ValueId segments = input_of(node, 1), segment_table = input_of(node, 4),
                  mask = input_of(node, 7), position_ids = input_of(node, 8);
    const DType type = plain.dtype(words);
    const auto wide = [&](ValueId v) { return plain.cast(v, DType::f32); };
    const ValueId word = wide(plain.gather(words, ids, 0));
    const ValueId position =
        wide(position_ids ? plain.gather(positions, position_ids, 0)
                          : plain.op("Slice", {positions, plain.ints({0}), plain.dim_of(ids, 1),
                                               plain.ints({0})}));
    ValueId sum = plain.add(word, position);
    if (segment_table)
        sum = plain.add(
            sum, wide(plain.gather(segment_table, segments ? segments : plain.scalar_i64(0), 0)));
    const ValueId y =
        normalized(plain, sum, wide(node.inputs.at(5)), wide(node.inputs.at(6)), -1,
                   static_cast<double>(node.float_attribute("epsilon", 1e-12f)), false, false)
            .y;
    ValueId counts;
    if (is_wanted(context, node, 1)) {
        if (mask)
            counts = plain.reduce(
                "ReduceSum",
                plain.cast(plain.op("Equal", {mask, plain.scalar(DType::i32, 1)}), DType::i32), {1},
                false);
        else
            counts = plain.op("ConstantOfShape", {plain.dim_of(ids, 0)},
                              {attr("value", AttributeValue(Tensor::of<std::int32_t>({1}, {0})))});
    }
    return plain.finish({plain.cast(y, type), counts,
                         is_wanted(context, node, 2) ? plain.cast(sum, type) : ValueId{}},
                        "wrote out EmbedLayerNormalization");
}

}  // namespace lapidary::lowering
