// SPDX-License-Identifier: Apache-2.0
//   before:  y = Slice(Concat(a, b, c), within b)  |  Gather(Concat(a, b, c), one of b)  |  p, q =
//            Split(Concat(a, b)) at the seam
//   after:   y = b, or Slice(b)   |  Gather(b) | a, b
// Sizes of the inputs before the cut must be known numbers, the positions constants counted from
// the front.
#include <algorithm>
#include <limits>

#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();

/// Where each input starts on the axis, as far as sizes are known; one more than the inputs when
/// all are.
Ints starts_of(const Scope& scope, const Node& concat, std::int64_t axis) {
    Ints starts{0};
    for (ValueId v : concat.inputs) {
        const std::int64_t dim = scope.dim(v, static_cast<int>(axis));
        if (dim < 0) break;
        starts.push_back(starts.back() + dim);
    }
    return starts;
}

/// The input that holds [begin, end) whole, or nothing.
std::optional<std::size_t> holder(const Ints& starts, std::size_t inputs, std::int64_t begin,
                                  std::int64_t end) {
    for (std::size_t i = 0; i < inputs && i < starts.size(); ++i) {
        const bool last = i + 1 == inputs;
        if (begin < starts[i]) return std::nullopt;
        if (i + 1 < starts.size() ? begin < starts[i + 1] && end <= starts[i + 1] : last) return i;
    }
    return std::nullopt;
}

/// Why no input holds [begin, end) whole.
Outcome held_by_none(const char* what, const Node& concat, const Ints& starts, std::int64_t axis,
                     std::int64_t begin, std::int64_t end) {
    const std::string last = end == to_the_end ? "the last" : std::to_string(end - 1);
    const std::string elements = end - 1 == begin
                                     ? " element " + last
                                     : " elements " + std::to_string(begin) + " to " + last;
    const std::string wanted = what + elements + " of axis " + std::to_string(axis) +
                               ", expected from one input of Concat, found ";
    const auto known = static_cast<std::int64_t>(starts.size()) - 1;
    if (begin >= starts.back() || (end > starts.back() && known < std::ssize(concat.inputs)))
        return declined(wanted + "that input " + std::to_string(known) +
                        " has an unknown size there");
    return declined(wanted + "them in several");
}

Outcome cut(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node concat = m.node("concat");
    const auto axis = concat_axis(scope, concat);
    auto cuts = slice_axes(scope, m.node("y"));
    if (!axis)
        return declined("Concat counts its axis from the back of inputs whose rank is not known");
    if (!cuts) return declined("what Slice takes is computed at run time, expected constants");
    const auto at = std::ranges::find(*cuts, *axis, &SliceAxis::axis);
    if (at == cuts->end()) return not_concerned();  // it takes all that Concat put together
    if (at->step != 1)
        return declined("Slice takes axis " + std::to_string(*axis) + " of Concat by steps of " +
                        std::to_string(at->step) + ", expected 1");
    const Ints starts = starts_of(scope, concat, *axis);
    const bool all_known = starts.size() == concat.inputs.size() + 1;
    if (all_known) {
        const auto bound = [&](std::int64_t p) {
            return std::clamp<std::int64_t>(p < 0 ? p + starts.back() : p, 0, starts.back());
        };
        at->start = bound(at->start);
        at->end = at->end == to_the_end ? starts.back() : bound(at->end);
    }
    if (all_known && at->end <= at->start) return not_concerned();  // it takes nothing
    if (at->start < 0 || at->end <= at->start)
        return declined("Slice counts from the end of axis " + std::to_string(*axis) +
                        ", and the size of input " + std::to_string(starts.size() - 1) +
                        " of Concat is not known there");
    const auto input = holder(starts, concat.inputs.size(), at->start, at->end);
    if (!input) return held_by_none("Slice takes", concat, starts, *axis, at->start, at->end);
    const ValueId source = concat.inputs[*input];
    const std::int64_t size = scope.dim(source, static_cast<int>(*axis)), offset = starts[*input];
    at->start -= offset;
    if (at->end != to_the_end) at->end -= offset;
    const bool whole = at->start == 0 && (size >= 0 ? at->end == size : at->end == to_the_end);
    if (whole) cuts->erase(at);
    if (cuts->empty() && context.bypass_problem(m.root(), source).empty())
        context.bypass(m.root(), source, m.nodes());
    else if (cuts->empty()) return declined(context.bypass_problem(m.root(), source));
    else replace(context, m.root(), slice_call(context, source, *cuts), m.nodes());
    return applied("the Slice reads only input " + std::to_string(*input) + " of the Concat");
}

Outcome pick(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node concat = m.node("concat");
    const auto axis = concat_axis(scope, concat);
    const Tensor* indices = scope.constant(m.value("indices"));
    if (!axis)
        return declined("Concat counts its axis from the back of inputs whose rank is not known");
    if (indices->size() != 1 || indices->rank() > 1)
        return declined("Gather takes indices of shape " + to_string(indices->shape()) +
                        ", expected a single one");
    if (axis_from_front(m.node("y").int_attribute("axis", 0), scope.rank(concat.outputs[0])) !=
        axis)
        return not_concerned();
    const Ints starts = starts_of(scope, concat, *axis);
    std::int64_t index = to_int64s(*indices)[0];
    if (index < 0 && starts.size() == concat.inputs.size() + 1) index += starts.back();
    if (index < 0)
        return declined("Gather takes element " + std::to_string(index) + " of axis " +
                        std::to_string(*axis) + ", counted from the end, and the size of input " +
                        std::to_string(starts.size() - 1) + " of Concat is not known there");
    // The last input of unknown size may be too short: Gather would fail there as here.
    const auto input = holder(starts, concat.inputs.size(), index, index + 1);
    if (!input) return held_by_none("Gather takes", concat, starts, *axis, index, index + 1);
    const ValueId source = concat.inputs[*input];
    index -= starts[*input];
    const std::int64_t size = scope.dim(source, static_cast<int>(*axis));
    const bool whole = size == 1 && indices->rank() == 1;
    if (whole && context.bypass_problem(m.root(), source).empty()) {
        context.bypass(m.root(), source, m.nodes());
    } else {
        const Tensor moved =
            indices->dtype() == DType::i32
                ? Tensor::of<std::int32_t>(indices->shape(), {static_cast<std::int32_t>(index)})
                : Tensor::of<std::int64_t>(indices->shape(), {index});
        context.replace(m.root(), "Gather", {source, context.constant("indices", moved)},
                        {attr("axis", *axis)}, m.nodes());
    }
    return applied("the Gather reads only input " + std::to_string(*input) + " of the Concat");
}

Outcome unsplit(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node concat = m.node("concat"), split = m.node("y");
    const auto axis = concat_axis(scope, concat);
    const auto split_axis =
        axis_from_front(split.int_attribute("axis", 0), scope.rank(split.inputs[0]));
    if (!axis || !split_axis) return declined("the rank of what Concat joins is not known");
    if (split_axis != axis)
        return declined("Split cuts along axis " + std::to_string(*split_axis) +
                        ", Concat joins along axis " + std::to_string(*axis));
    if (split.outputs.size() != concat.inputs.size())
        return declined("Split makes " + std::to_string(split.outputs.size()) +
                        " parts, Concat joins " + std::to_string(concat.inputs.size()));
    for (std::size_t i = 0; i < split.outputs.size(); ++i) {
        const std::int64_t a = scope.dim(concat.inputs[i], static_cast<int>(*axis));
        if (!split.outputs[i] || a < 0 || a != scope.dim(split.outputs[i], static_cast<int>(*axis)))
            return declined("part " + std::to_string(i) + " of Split and input " +
                            std::to_string(i) +
                            " of Concat are not known to have the same size along axis " +
                            std::to_string(*axis));
        if (scope.value(split.outputs[i]).output_uses > 0)
            return declined("a result of the Split is a graph output");
    }
    for (std::size_t i = 0; i < split.outputs.size(); ++i)
        context.edit().replace_uses(split.outputs[i], concat.inputs[i]);
    context.erase_unused(m.nodes());
    return applied("Split takes apart what Concat put together");
}

}  // namespace

PassBody move_slice_before_concat() {
    const auto concat = op("Concat", {any(), any()}).more_inputs().named("concat");
    return {
        .rules = {
            {.pattern = op("Slice", {concat}).more_inputs().named("y"), .rewrite = cut},
            {.pattern = op("Gather", {op("Concat", {any(), any()}).more_inputs().named("concat"),
                                      constant("indices")})
                            .named("y"),
             .rewrite = [](const Match& m, PassContext& context) { return pick(m, context); }},
            {.pattern = op("Split", {concat}).more_inputs().named("y"), .rewrite = unsplit}}};
}

}  // namespace lapidary::passes
