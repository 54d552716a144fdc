// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/attention_core.h"
#include "passes/lowering/lowering.h"

namespace lapidary::lowering {

ValueId rotate_pairs(PlainNodes& plain, ValueId x, ValueId c, ValueId s, std::int64_t half,
                     std::int64_t size, bool interleaved) {
    ValueId first, second;
    if (interleaved) {
        const ValueId pairs = plain.reshape(plain.slice(x, 3, 0, 2 * half), {0, 0, 0, half, 2});
        first = plain.squeeze(plain.slice(pairs, 4, 0, 1), {4});
        second = plain.squeeze(plain.slice(pairs, 4, 1, 2), {4});
    } else {
        first = plain.slice(x, 3, 0, half);
        second = plain.slice(x, 3, half, 2 * half);
    }
    const ValueId turned_first = plain.sub(plain.mul(first, c), plain.mul(second, s)),
                  turned_second = plain.add(plain.mul(first, s), plain.mul(second, c));
    ValueId y;
    if (interleaved)
        y = plain.reshape(
            plain.concat({plain.unsqueeze(turned_first, {4}), plain.unsqueeze(turned_second, {4})},
                         4),
            {0, 0, 0, 2 * half});
    else y = plain.concat({turned_first, turned_second}, 3);
    return size > 2 * half ? plain.concat({y, plain.slice(x, 3, 2 * half, size)}, 3) : y;
}

Outcome rotary_embedding(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const Scope& scope = context.scope();
    const ValueId x = node.inputs.at(0), positions = node.inputs.at(1), cosine = node.inputs.at(2),
                  sine = node.inputs.at(3);
    const int rank = plain.rank(x), position_rank = plain.rank(positions);
    const std::int64_t half = scope.dim(cosine, 1),
                       rotated = node.int_attribute("rotary_embedding_dim", 0);
    if (rank != 3 && rank != 4) return declined("the rank of its input is not known");
    if (half < 1) return declined("the width of its tables is not known");
    if (position_rank < 0) return declined("the rank of its positions is not known");
    if (position_rank < 2 && plain.opset() < 11)
        return declined("positions counted from an offset need Range of opset 11");
    std::int64_t size = rank == 4 ? scope.dim(x, 3) : 2 * half;
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    if (rank == 3 && rotated > 0) {
        if (heads < 1 || scope.dim(x, 2) < 0) return declined("the size of its heads is not known");
        size = scope.dim(x, 2) / heads;
    }
    if (size < 2 * half)
        return declined("the size of its heads is not known or smaller than its tables");
    const DType type = plain.dtype(x), wide = type == DType::f64 ? DType::f64 : DType::f32;

    // heads as [B, S, N, size]
    const ValueId heads_last = rank == 4 ? plain.transpose(plain.cast(x, wide), {0, 2, 1, 3})
                                         : plain.reshape(plain.cast(x, wide), {0, 0, -1, size});
    ValueId ids = positions;
    if (position_rank < 2) {
        const ValueId offset = position_rank == 0 ? positions : plain.squeeze(positions, {0});
        ids = plain.unsqueeze(
            plain.range(offset, plain.add(offset, plain.dim_scalar(heads_last, 1))), {0});
    }
    const auto rows = [&](ValueId table) {
        return plain.unsqueeze(plain.gather(plain.cast(table, wide), ids, 0), {2});
    };
    const ValueId c = rows(cosine), s = rows(sine);
    ValueId y = rotate_pairs(plain, heads_last, c, s, half, size,
                             node.int_attribute("interleaved", 0) != 0);
    y = rank == 4 ? plain.transpose(y, {0, 2, 1, 3}) : plain.reshape(y, {0, 0, -1});
    return plain.finish({plain.cast(y, type)}, "wrote out RotaryEmbedding");
}

}  // namespace lapidary::lowering
