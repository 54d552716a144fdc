// SPDX-License-Identifier: Apache-2.0
//   before:  a = Gather(x, 0), b = Slice(x, 1:3), c = Slice(x, 3:4)      one axis of 4
//   after:   s, b, c = Split(x, [1, 2, 1]), a = Squeeze(s)
// The pieces lie side by side and cover the axis; where they would need more nodes as a Split they
// stay.
#include <algorithm>
#include <map>

#include "base/at.h"
#include "ops/geometry/slice.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
namespace {

struct Selection {
    NodeId node;
    std::int64_t axis = 0, start = 0, count = 0;
    bool drops_axis = false;
};

std::optional<Selection> selection_of(const Scope& scope, const Node& node, ValueId data) {
    if (!node.domain.empty() || node.inputs.empty() || node.inputs[0] != data) return std::nullopt;
    const int rank = scope.rank(data);
    if (node.op_type == "Gather") {
        const Tensor* index = scope.constant(node.inputs.at(1));
        const auto axis = axis_from_front(node.int_attribute("axis", 0), rank);
        if (!index || index->size() != 1 || index->rank() > 1 || !axis) return std::nullopt;
        const std::int64_t dim = scope.dim(data, static_cast<int>(*axis)),
                           at = to_int64s(*index)[0];
        const std::int64_t start = at < 0 ? at + dim : at;
        if (dim < 0 || start < 0 || start >= dim) return std::nullopt;
        return Selection{node.id, *axis, start, 1, index->rank() == 0};
    }
    if (node.op_type != "Slice") return std::nullopt;
    const auto cuts = slice_axes(scope, node);
    if (!cuts || cuts->size() != 1 || (*cuts)[0].step != 1) return std::nullopt;
    const std::int64_t dim = scope.dim(data, static_cast<int>((*cuts)[0].axis));
    const SliceRange range = resolve_slice(dim, (*cuts)[0].start, (*cuts)[0].end, 1);
    if (range.count <= 0) return std::nullopt;
    return Selection{node.id, (*cuts)[0].axis, range.start, range.count, false};
}

/// Orders selections of one axis that cover it. Returns why they do not; empty: no reason to
/// report.
std::string arrange(const Scope& scope, ValueId data, std::vector<Selection>& list) {
    if (list.size() < 2) return "one piece";
    std::ranges::sort(list, {}, &Selection::start);
    std::int64_t at = 0;
    for (const Selection& s : list) {
        if (s.start < at) return "the pieces overlap at position " + std::to_string(s.start);
        if (s.start > at)
            return "nothing selects positions " + std::to_string(at) + " to " +
                   std::to_string(s.start - 1);
        at += s.count;
    }
    const std::int64_t dim = scope.dim(data, static_cast<int>(list[0].axis));
    if (at != dim)
        return "nothing selects positions " + std::to_string(at) + " to " + std::to_string(dim - 1);
    const auto scalars =
        static_cast<std::size_t>(std::ranges::count_if(list, &Selection::drops_axis));
    if (1 + scalars > list.size())
        return "Split and " + std::to_string(scalars) + " Squeezes are more nodes than " +
               std::to_string(list.size()) + " Gathers";
    return {};
}

void split(PassContext& context, ValueId data, const std::vector<Selection>& list) {
    const std::int64_t axis = list[0].axis;
    Ints sizes;
    NodeSpec spec;
    std::vector<std::pair<ValueId, NodeId>> scalars;
    std::vector<Node> nodes;
    for (const Selection& s : list) nodes.push_back(context.graph().node(s.node));
    for (std::size_t i = 0; i < list.size(); ++i) {
        sizes.push_back(list[i].count);
        if (list[i].drops_axis) {
            Type type = context.scope().type(data);
            at(*type.shape, axis) = Dim(1);
            spec.outputs.push_back(context.edit().add_value(
                context.graph().value(nodes[i].outputs[0]).name + "_kept", type));
            scalars.emplace_back(spec.outputs.back(), list[i].node);
        } else {
            spec.outputs.push_back(context.edit().take_outputs(list[i].node)[0]);
            context.edit().erase(list[i].node);
        }
    }
    spec.op_type = "Split";
    spec.version = context.opset();
    spec.inputs = {data, context.constant_ints("split", sizes)};
    spec.attributes = {attr("axis", axis)};
    context.edit().add_node(std::move(spec));
    for (const auto& [kept, gather] : scalars)
        replace(context, gather, axes_call(context, "Squeeze", kept, {axis}));
}

}  // namespace

PassBody fuse_selections_to_split() {
    return {.run = [](PassContext& context) {
        if (context.opset() < 13) return;
        for (ValueId data : context.graph().values()) {
            if (!context.may_rewrite()) return;
            if (!context.graph().is_alive(data)) continue;
            const Value& value = context.graph().value(data);
            const Node* writer = context.scope().producer(data);
            if (value.uses.size() < 2 || !value.type.shape ||
                (writer && writer->op_type == "Shape"))
                continue;
            std::map<std::int64_t, std::vector<Selection>> by_axis;
            for (const Use& use : value.uses)
                if (use.input == 0)
                    if (const auto s =
                            selection_of(context.scope(), context.graph().node(use.node), data))
                        by_axis[s->axis].push_back(*s);
            for (auto& [axis, list] : by_axis) {
                if (list.size() < 2) continue;
                if (const std::string problem = arrange(context.scope(), data, list);
                    !problem.empty()) {
                    std::vector<NodeId> nodes;
                    for (const Selection& s : list) nodes.push_back(s.node);
                    context.miss(list[0].node, problem, 1, nodes);
                    continue;
                }
                split(context, data, list);
                context.record(std::to_string(list.size()) + " pieces of axis " +
                               std::to_string(axis) + " became one Split");
                break;
            }
        }
    }};
}

}  // namespace lapidary::passes
