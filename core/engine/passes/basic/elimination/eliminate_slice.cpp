// SPDX-License-Identifier: Apache-2.0
//   before:  y = Slice(x)   from the first element to the last on every axis, with step 1
//   after:   x
// The end may be any number at or beyond the size of the axis, or the size itself where it is
// computed.
#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

using Ends = std::vector<Dim>;

/// An input's elements, or the attribute of old opsets, or `fallback` times 0, 1, 2 ... when
/// absent.
std::optional<Ends> list_of(const PassContext& context, const Node& node, std::size_t index,
                            const char* attribute) {
    if (node.version >= 10)
        return context.elements(index < node.inputs.size() ? node.inputs[index] : ValueId{});
    Ends out;
    for (std::int64_t n : node.ints_attribute(attribute)) out.push_back(dim_of(n));
    return out;
}

bool has_list(const Node& node, std::size_t index, const char* attribute) {
    return node.version >= 10 ? index < node.inputs.size() && node.inputs[index]
                              : node.has_attribute(attribute);
}

bool reaches(const Dim& end, const Dim& size) {
    // exporters' "to the end"
    if (const auto n = constant_of(end); n && *n >= (std::int64_t{1} << 31) - 1) return true;
    return surely_equal(end, size) ||
           (end.is_known() && size.is_known() && end.value() >= size.value()) ||
           (!size.is_unknown() && surely_not_negative(subtract(end, size)));
}

/// The lists of a Slice, all of one length.
struct SliceBounds {
    Ends starts, ends;
    std::optional<Ends> axes, steps;
};

/// Nothing where a list is not known, or of another length.
std::optional<SliceBounds> bounds_of(const PassContext& context, const Node& slice) {
    auto starts = list_of(context, slice, 1, "starts"), ends = list_of(context, slice, 2, "ends");
    if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
    SliceBounds bounds{*std::move(starts), *std::move(ends), {}, {}};
    if (has_list(slice, 3, "axes") && !(bounds.axes = list_of(context, slice, 3, "axes")))
        return std::nullopt;
    if (slice.version >= 10 && has_list(slice, 4, "steps") &&
        !(bounds.steps = list_of(context, slice, 4, "steps")))
        return std::nullopt;
    for (const auto* list : {&bounds.axes, &bounds.steps})
        if (*list && (*list)->size() != bounds.starts.size()) return std::nullopt;
    return bounds;
}

/// From the first element to the last on every axis, whatever the steps.
bool spans_all(const SliceBounds& bounds, const SymbolicShape& shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    for (std::size_t i = 0; i < bounds.starts.size(); ++i) {
        std::int64_t axis = static_cast<std::int64_t>(i);
        if (bounds.axes) {
            const auto a = constant_of((*bounds.axes)[i]);
            if (!a) return false;
            axis = *a < 0 ? *a + rank : *a;
        }
        if (axis < 0 || axis >= rank || constant_of(bounds.starts[i]) != 0 ||
            !reaches(bounds.ends[i], at(shape, axis)))
            return false;
    }
    return true;
}

Outcome drop_slice(const Match& m, PassContext& context) {
    const auto bounds = bounds_of(context, m.node("y"));
    if (!bounds) return not_concerned();
    const Type& type = m.type("x");
    if (!type.shape) {
        const auto from_start = [](const Dim& start) { return constant_of(start) == 0; };
        if (!std::ranges::all_of(bounds->starts, from_start)) return not_concerned();
        return declined(
            "it takes all from the first element on, but the shape of its input is not known");
    }
    if (!spans_all(*bounds, *type.shape)) return not_concerned();
    for (const Dim& step : bounds->steps.value_or(Ends{}))
        if (constant_of(step) != 1)
            return declined("the Slice spans its whole input, but with step " + to_string(step) +
                            ", needs 1");
    std::string problem = context.bypass(m.root(), m.value("x"));
    return problem.empty() ? applied("Slice keeps everything") : declined(std::move(problem));
}

}  // namespace

PassBody eliminate_slice() {
    return {.rules = {{.pattern = op("Slice", {any("x")}).more_inputs().named("y"),
                       .rewrite = drop_slice}}};
}

}  // namespace lapidary::passes
