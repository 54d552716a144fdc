// SPDX-License-Identifier: Apache-2.0
//   before:  y = Concat(Concat(a, b), c)  |  Concat(Slice(x, 0:3), Slice(x, 3:5))  |
//            Concat(Split(x))
//   after:   y = Concat(a, b, c)   |  Slice(x, 0:5), or x |  x
// All on one axis. Slices step by 1 and meet without gap; Split's results are all there, once and
// in order.
#include <algorithm>
#include <limits>

#include "ops/dimensions/dim_algebra.h"
#include "ops/geometry/slice.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Neighbouring inputs as one value: the inputs [begin, end) are `source`, cut from `start` to
/// `stop`.
struct Piece {
    ValueId source;
    std::int64_t start = 0, stop = 0;
};

/// The value as a slice with step 1 of one axis of something, of known bounds.
std::optional<Piece> piece_of(const Scope& scope, ValueId value, std::int64_t axis) {
    const Node* node = scope.producer(value);
    if (!node || node->op_type != "Slice" || !node->domain.empty() ||
        !scope.value(value).read_once())
        return std::nullopt;
    const auto cuts = slice_axes(scope, *node);
    if (!cuts || cuts->size() != 1 || (*cuts)[0].axis != axis || (*cuts)[0].step != 1)
        return std::nullopt;
    const SliceAxis& cut = (*cuts)[0];
    const std::int64_t dim = scope.dim(node->inputs[0], static_cast<int>(axis));
    if (dim >= 0) {
        const SliceRange range = resolve_slice(dim, cut.start, cut.end, 1);
        return Piece{node->inputs[0], range.start, range.start + range.count};
    }
    if (cut.start < 0 || cut.end < cut.start) return std::nullopt;
    return Piece{node->inputs[0], cut.start, cut.end};
}

std::vector<ValueId> nested_inputs(const Scope& scope, const Node& concat, std::int64_t axis,
                                   std::vector<NodeId>& gone) {
    std::vector<ValueId> inputs;
    for (ValueId v : concat.inputs) {
        const Node* inner = scope.producer(v);
        if (inner && inner->op_type == "Concat" && inner->domain.empty() &&
            scope.value(v).read_once() && concat_axis(scope, *inner) == axis) {
            inputs.insert(inputs.end(), inner->inputs.begin(), inner->inputs.end());
            gone.push_back(inner->id);
        } else {
            inputs.push_back(v);
        }
    }
    return inputs;
}

/// Why a Concat above this one stays; empty: there is none.
std::string why_nested(const Scope& scope, const Node& concat, std::int64_t axis) {
    for (ValueId v : concat.inputs) {
        const Node* inner = scope.producer(v);
        if (!inner || inner->op_type != "Concat" || !inner->domain.empty()) continue;
        const auto other = concat_axis(scope, *inner);
        if (other != axis)
            return inner->describe() + " joins along " +
                   (other ? "axis " + std::to_string(*other) : "an unknown axis") +
                   ", this one along axis " + std::to_string(axis);
        return "what " + inner->describe() + " joins is also read elsewhere";
    }
    return {};
}

Outcome flatten(const Match& m, PassContext& context) {
    const Node root = m.node("y");
    const auto axis = concat_axis(m.scope(), root);
    if (!axis) return not_concerned();
    std::vector<NodeId> gone;
    const std::vector<ValueId> inputs = nested_inputs(m.scope(), root, *axis, gone);
    if (gone.empty()) return stopped_by(why_nested(m.scope(), root, *axis));
    context.replace(m.root(), "Concat", inputs, {attr("axis", *axis)}, gone);
    return applied("Concats of Concats became one of " + std::to_string(inputs.size()) + " inputs");
}

Outcome drop_empty(const Match& m, PassContext& context) {
    const Node root = m.node("y");
    const auto axis = concat_axis(m.scope(), root);
    if (!axis) return not_concerned();
    std::vector<ValueId> inputs;
    for (ValueId v : root.inputs)
        if (m.scope().dim(v, static_cast<int>(*axis)) != 0) inputs.push_back(v);
    if (inputs.size() == root.inputs.size() || inputs.empty()) return not_concerned();
    context.replace(m.root(), "Concat", inputs, {attr("axis", *axis)}, {});
    return applied("inputs without elements went away");
}

Outcome join_slices(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node root = m.node("y");
    const auto axis = concat_axis(scope, root);
    if (!axis) return not_concerned();
    for (std::size_t i = 0; i + 1 < root.inputs.size(); ++i) {
        auto joined = piece_of(scope, root.inputs[i], *axis);
        if (!joined) continue;
        std::size_t end = i + 1;
        for (; end < root.inputs.size(); ++end) {
            const auto next = piece_of(scope, root.inputs[end], *axis);
            if (!next || next->source != joined->source || next->start != joined->stop) break;
            joined->stop = next->stop;
        }
        if (end == i + 1) continue;
        std::vector<NodeId> gone;
        for (std::size_t k = i; k < end; ++k) gone.push_back(scope.producer(root.inputs[k])->id);
        // All of the axis: the source itself. A dynamic axis is only whole with an open end.
        const std::int64_t dim = scope.dim(joined->source, static_cast<int>(*axis));
        const bool whole = joined->start == 0 &&
                           (dim >= 0 ? joined->stop == dim
                                     : joined->stop == std::numeric_limits<std::int64_t>::max());
        const bool alone = end - i == root.inputs.size();
        if (whole && alone && context.bypass_problem(m.root(), joined->source).empty()) {
            context.bypass(m.root(), joined->source, gone);
            return applied("Slices side by side are the whole again");
        }
        const Call slice =
            slice_call(context, joined->source, {{*axis, joined->start, joined->stop, 1}});
        if (alone) {
            replace(context, m.root(), slice, gone);
        } else {
            std::vector<ValueId> inputs(root.inputs.begin(),
                                        root.inputs.begin() + static_cast<std::ptrdiff_t>(i));
            inputs.push_back(whole ? joined->source
                                   : context.node(slice.op, slice.inputs, slice.attributes));
            inputs.insert(inputs.end(), root.inputs.begin() + static_cast<std::ptrdiff_t>(end),
                          root.inputs.end());
            context.replace(m.root(), "Concat", inputs, {attr("axis", *axis)}, gone);
        }
        return applied(std::to_string(end - i) + " Slices side by side became one");
    }
    return not_concerned();
}

Outcome undo_split(const Match& m, PassContext& context) {
    const Scope& scope = m.scope();
    const Node& root = m.node("y");
    const Node* split = scope.producer(root.inputs.at(0));
    if (!split || split->op_type != "Split" || !split->domain.empty()) return not_concerned();
    if (split->outputs != root.inputs) {
        const bool all = std::ranges::all_of(root.inputs, [&](ValueId v) {
            return std::ranges::find(split->outputs, v) != split->outputs.end();
        });
        if (!all || root.inputs.size() < 2) return not_concerned();
        return declined("Concat joins " + std::to_string(root.inputs.size()) + " of the " +
                        std::to_string(split->outputs.size()) +
                        " parts of Split, expected all of them, each once, in " + "order");
    }
    if (axis_from_front(split->int_attribute("axis", 0), scope.rank(split->inputs[0])) !=
        concat_axis(scope, root))
        return declined("Split and Concat work on different axes");
    const std::vector<NodeId> gone{split->id};
    if (std::string problem = context.bypass(m.root(), split->inputs[0], gone); !problem.empty())
        return declined(problem);
    return applied("Concat puts together what Split took apart");
}

}  // namespace

PassBody merge_concats() {
    const auto concat = op("Concat", {any()}).more_inputs().named("y");
    return {.rules = {{.pattern = concat, .rewrite = flatten},
                      {.pattern = concat, .rewrite = drop_empty},
                      {.pattern = concat, .rewrite = undo_split},
                      {.pattern = concat, .rewrite = join_slices}}};
}

}  // namespace lapidary::passes
