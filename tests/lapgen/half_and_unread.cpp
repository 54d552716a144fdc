// SPDX-License-Identifier: Apache-2.0
// Adds parts in 16-bit floats between Casts, as in mixed precision exports, and operators with
// outputs that are never read.
#include "lapgen/model_builder.h"

namespace lapidary::lapgen {
namespace {

using Ints = std::vector<std::int64_t>;

Attribute attribute(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}

ValueId cast(ModelBuilder& b, ValueId x, DType to) {
    return b.add("Cast", {x}, {attribute("to", static_cast<std::int64_t>(to))});
}

bool split(ModelBuilder& b, ValueId x) {
    const std::int64_t axis = b.number(0, b.rank(x) - 1), size = b.dim(x, static_cast<int>(axis));
    if (size < 2) return false;
    const std::int64_t first = b.number(1, size - 1);
    std::vector<Attribute> attributes{attribute("axis", axis)};
    if (size % 2 == 0 && b.chance(0.3)) {  // equal parts, counted by the outputs
        if (b.opset() >= 18) attributes.push_back(attribute("num_outputs", std::int64_t{2}));
        return static_cast<bool>(b.add("Split", {x}, std::move(attributes), 2));
    }
    if (b.opset() >= 13)
        return static_cast<bool>(
            b.add("Split", {x, b.ints({first, size - first})}, std::move(attributes), 2));
    attributes.push_back(attribute("split", Ints{first, size - first}));
    return static_cast<bool>(b.add("Split", {x}, std::move(attributes), 2));
}

bool top(ModelBuilder& b, ValueId x) {
    const std::int64_t axis = b.number(0, b.rank(x) - 1), size = b.dim(x, static_cast<int>(axis));
    if (size < 1) return false;
    return static_cast<bool>(
        b.add("TopK", {x, b.ints({b.number(1, size)})}, {attribute("axis", axis)}, 2));
}

bool pool_with_indices(ModelBuilder& b) {
    const ValueId x = b.of_rank(4);
    return x && b.add("MaxPool", {x},
                      {attribute("kernel_shape", Ints{2, 2}), attribute("pads", Ints{0, 0, 1, 1}),
                       attribute("strides", Ints{1, 1})},
                      2);
}

}  // namespace

bool with_unread_outputs(ModelBuilder& b) {
    const ValueId x = b.any();
    if (b.rank(x) < 1) return false;
    switch (b.number(0, 4)) {
    case 0: return top(b, x);
    case 1: return pool_with_indices(b);
    case 2: return static_cast<bool>(b.add("Dropout", {x}, {}, 2));
    default: return split(b, x);
    }
}

bool compute_in_half(ModelBuilder& b) {
    if (b.float_type() != DType::f32 || !b.chance(b.exact() ? 0.2 : 0.7)) return false;
    const DType half = b.chance(0.7) ? DType::f16 : DType::bf16;
    ValueId last = cast(b, b.any(), half);
    if (!last) return false;
    b.set_float_type(half);
    const std::size_t from = b.pool().size() - 1;
    for (std::int64_t i = b.number(1, 5), tries = 0; i > 0 && tries < 20; ++tries)
        i -= add_random_operator(b);
    b.set_float_type(DType::f32);
    const std::vector<ValueId> made(b.pool().begin() + static_cast<std::ptrdiff_t>(from),
                                    b.pool().end());
    for (const ValueId v : made)
        if (b.type(v).dtype == half && b.graph().value(v).is_unused() && b.chance(0.8))
            cast(b, v, DType::f32);
    return true;
}

}  // namespace lapidary::lapgen
