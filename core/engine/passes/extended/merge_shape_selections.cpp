// SPDX-License-Identifier: Apache-2.0
//   before:  n = Unsqueeze(Gather(Shape(x), 1), 0)  |  Slice(Shape(x), 1:3)
//   after:   n = Shape(x) {start: 1, end: 2}        |  Shape(x) {start: 1, end: 3}
// Shape takes bounds from opset 15 on. After the fusions that look for the long form.
#include <algorithm>
#include <limits>

#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

struct Bounds {
    std::int64_t start = 0, end = 0;
};

/// What Shape itself gives, from the front; nothing without a known rank.
std::optional<Bounds> bounds_of(const Scope& scope, const Node& shape) {
    const int rank = scope.rank(shape.inputs[0]);
    if (rank < 0) return std::nullopt;
    const auto bound = [&](const char* name, std::int64_t fallback) {
        const std::int64_t given = shape.int_attribute(name, fallback);
        return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
    };
    const std::int64_t start = bound("start", 0);
    return Bounds{start, std::max(start, bound("end", rank))};
}

Outcome shorten(const Match& m, PassContext& context, const Bounds& bounds) {
    context.replace(m.root(), "Shape", {m.value("x")},
                    {attr("start", bounds.start), attr("end", bounds.end)}, m.nodes());
    return applied("Shape gives dimensions " + std::to_string(bounds.start) + " to " +
                   std::to_string(bounds.end) + " itself");
}

Outcome slice(const Match& m, PassContext& context) {
    const auto whole = bounds_of(m.scope(), m.node("shape"));
    const auto cuts = slice_axes(m.scope(), m.node("y"));
    if (!whole) return declined("the rank of what Shape reads is not known");
    if (!cuts || cuts->size() != 1)
        return declined("what Slice takes of the shape is computed, expected constants");
    if ((*cuts)[0].step != 1)
        return declined("Slice takes dimensions by steps of " + std::to_string((*cuts)[0].step) +
                        ", and Shape gives neighbours only");
    const std::int64_t size = whole->end - whole->start;
    const auto bound = [&](std::int64_t p) {
        return std::clamp<std::int64_t>(p < 0 ? p + size : p, 0, size);
    };
    const std::int64_t start = whole->start + bound((*cuts)[0].start);
    return shorten(m, context, {start, std::max(start, whole->start + bound((*cuts)[0].end))});
}

Outcome gather(const Match& m, PassContext& context) {
    const auto whole = bounds_of(m.scope(), m.node("shape"));
    const auto index = m.constant("index").size() == 1 ? to_int64s(m.constant("index"))[0]
                                                       : std::numeric_limits<std::int64_t>::max();
    const bool unsqueezed = m.has("unsqueeze");
    if (unsqueezed && named_axes(m.scope(), m.node("unsqueeze"), 1) != Ints{0})
        return declined("Unsqueeze adds other axes than 0, and Shape gives a list");
    if (!whole) return declined("the rank of what Shape reads is not known");
    const Tensor& given = m.constant("index");
    // a scalar, which Shape never gives
    if (!unsqueezed && given.rank() == 0) return not_concerned();
    if (given.rank() != (unsqueezed ? 0 : 1) || index == std::numeric_limits<std::int64_t>::max())
        return declined("Gather takes indices of shape " + to_string(given.shape()) +
                        ", expected a single one");
    const std::int64_t size = whole->end - whole->start, at = index < 0 ? index + size : index;
    if (at < 0 || at >= size)
        return declined("Gather takes dimension " + std::to_string(index) + " of " +
                        std::to_string(size));
    return shorten(m, context, {whole->start + at, whole->start + at + 1});
}

}  // namespace

PassBody merge_shape_selections() {
    // A Shape that others read too stays; the new one costs next to nothing, and one node goes all
    // the same.
    const auto shape = op("Shape", {any("x")})
                           .versions(15)
                           .named("shape")
                           .where(read_once(), "the whole shape is also read elsewhere");
    const auto picked = op("Gather", {shape, constant("index")}).named("gather");
    return {.rules = {
                {.pattern = op("Slice", {shape}).more_inputs().named("y"), .rewrite = slice},
                {.pattern = op("Unsqueeze",
                               {op("Gather", {op("Shape", {any("x")}).versions(15).named("shape"),
                                              constant("index")})
                                    .named("gather")
                                    .where(read_once(), "the dimension is also read as a scalar")})
                                .more_inputs()
                                .named("unsqueeze"),
                 .rewrite = gather},
                {.pattern = picked, .rewrite = gather}}};
}

}  // namespace lapidary::passes
