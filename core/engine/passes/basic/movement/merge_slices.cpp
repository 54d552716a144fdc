// SPDX-License-Identifier: Apache-2.0
//   before:  y = Slice(Slice(x, a), b)
//   after:   y = Slice(x, a then b)
// An axis cut twice needs a known size, or positions from the front and steps forward: those
// compose for every size.
#include <algorithm>
#include <limits>

#include "ops/geometry/slice.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();

SliceAxis of_range(std::int64_t axis, const SliceRange& range) {
    if (range.count == 0) return {axis, 0, 0, 1};
    const std::int64_t last = range.start + (range.count - 1) * range.step;
    if (range.step > 0) return {axis, range.start, last + 1, range.step};
    return {axis, range.start, last == 0 ? -far : last - 1, range.step};
}

/// position `at` of the first slice's result in its input; `far` stays far.
std::int64_t through(const SliceAxis& first, std::int64_t at) {
    if (at > (far - first.start) / first.step) return far;
    return first.start + at * first.step;
}

std::optional<SliceAxis> composed(const SliceAxis& first, const SliceAxis& second,
                                  std::int64_t dim) {
    if (dim >= 0) {
        const SliceRange a = resolve_slice(dim, first.start, first.end, first.step);
        const SliceRange b = resolve_slice(a.count, second.start, second.end, second.step);
        return of_range(first.axis, {a.start + b.start * a.step, a.step * b.step, b.count});
    }
    const auto from_front = [](const SliceAxis& s) {
        return s.start >= 0 && s.end >= 0 && s.step > 0;
    };
    if (!from_front(first) || !from_front(second) || second.step > far / first.step)
        return std::nullopt;
    return SliceAxis{first.axis, through(first, second.start),
                     std::min(first.end, through(first, second.end)), first.step * second.step};
}

}  // namespace

PassBody merge_slices() {
    const auto first =
        op("Slice", {any("x")})
            .more_inputs()
            .named("first")
            .require(read_once(), "the result of the first Slice is also read elsewhere");
    return {.rules = {
                {.pattern = op("Slice", {first}).more_inputs().named("second"),
                 .rewrite = [](const Match& m, PassContext& context) {
                     const auto a = slice_axes(m.scope(), m.node("first")),
                                b = slice_axes(m.scope(), m.node("second"));
                     if (!a || !b) return declined("the bounds are computed");
                     std::vector<SliceAxis> axes = *a;
                     for (const SliceAxis& cut : *b) {
                         const auto same = std::ranges::find(axes, cut.axis, &SliceAxis::axis);
                         if (same == axes.end()) {
                             axes.push_back(cut);
                             continue;
                         }
                         const auto both = composed(
                             *same, cut, m.scope().dim(m.value("x"), static_cast<int>(cut.axis)));
                         if (!both)
                             return declined("axis " + std::to_string(cut.axis) +
                                             " has no known size and is cut from its end");
                         *same = *both;
                     }
                     std::ranges::sort(axes, {}, &SliceAxis::axis);
                     replace(context, m.root(), slice_call(context, m.value("x"), axes), m.nodes());
                     return applied("two Slices became one");
                 }}}};
}

}  // namespace lapidary::passes
