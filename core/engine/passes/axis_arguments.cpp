// SPDX-License-Identifier: Apache-2.0
#include "passes/axis_arguments.h"

#include <algorithm>
#include <numeric>

#include "base/at.h"

namespace lapidary {

std::optional<Ints> constant_ints_of(const Scope& scope, ValueId value) {
    const Tensor* t = scope.constant(value);
    if (!t || (t->dtype() != DType::i64 && t->dtype() != DType::i32)) return std::nullopt;
    return to_int64s(*t);
}

std::optional<std::int64_t> axis_from_front(std::int64_t axis, int rank) {
    if (axis < 0) axis += rank;
    if (rank < 0 || axis < 0 || axis >= rank) return std::nullopt;
    return axis;
}

std::optional<std::int64_t> concat_axis(const Scope& scope, const Node& concat) {
    return axis_from_front(concat.int_attribute("axis", 1), scope.rank(concat.outputs[0]));
}

bool axes_are_input(std::string_view op_type, std::int64_t version) {
    if (op_type == "Squeeze" || op_type == "Unsqueeze" || op_type == "ReduceSum")
        return version >= 13;
    return version >= 18;
}

bool names_axes(const Node& node) {
    if (axes_are_input(node.op_type, node.version)) return node.inputs.size() > 1 && node.inputs[1];
    return node.has_attribute("axes");
}

std::optional<Ints> named_axes(const Scope& scope, const Node& node, int rank) {
    if (!names_axes(node)) return std::nullopt;
    std::optional<Ints> axes;
    if (axes_are_input(node.op_type, node.version)) axes = constant_ints_of(scope, node.inputs[1]);
    else axes = node.ints_attribute("axes");
    // those of size 1, which they are may be open
    if (!axes || (axes->empty() && node.op_type == "Squeeze")) return std::nullopt;
    for (std::int64_t& a : *axes) {
        const auto front = axis_from_front(a, rank);
        if (!front) return std::nullopt;
        a = *front;
    }
    std::ranges::sort(*axes);
    if (std::ranges::adjacent_find(*axes) != axes->end()) return std::nullopt;
    return axes;
}

std::optional<std::vector<SliceAxis>> slice_axes(const Scope& scope, const Node& node) {
    if (node.inputs.empty()) return std::nullopt;
    const int rank = scope.rank(node.inputs[0]);
    std::optional<Ints> starts, ends, axes, steps;
    if (node.version < 10) {
        starts = node.ints_attribute("starts");
        ends = node.ints_attribute("ends");
        if (node.has_attribute("axes")) axes = node.ints_attribute("axes");
    } else {
        const auto given = [&](std::size_t i) { return i < node.inputs.size() && node.inputs[i]; };
        if (!given(1) || !given(2)) return std::nullopt;
        starts = constant_ints_of(scope, node.inputs[1]);
        ends = constant_ints_of(scope, node.inputs[2]);
        if (given(3) && !(axes = constant_ints_of(scope, node.inputs[3]))) return std::nullopt;
        if (given(4) && !(steps = constant_ints_of(scope, node.inputs[4]))) return std::nullopt;
    }
    if (!starts || !ends) return std::nullopt;
    if (!axes) {
        axes.emplace(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    if (!steps) steps.emplace(starts->size(), 1);
    if (ends->size() != starts->size() || axes->size() != starts->size() ||
        steps->size() != starts->size())
        return std::nullopt;
    std::vector<SliceAxis> out;
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = axis_from_front((*axes)[i], rank);
        if (!axis || (*steps)[i] == 0) return std::nullopt;
        out.push_back({*axis, (*starts)[i], (*ends)[i], (*steps)[i]});
    }
    std::ranges::sort(out, {}, &SliceAxis::axis);
    if (std::ranges::adjacent_find(out, {}, &SliceAxis::axis) != out.end()) return std::nullopt;
    return out;
}

std::optional<Ints> permutation_of(const Scope& scope, const Node& transpose) {
    Ints perm = transpose.ints_attribute("perm");
    if (!perm.empty()) {
        Ints sorted = perm;
        std::ranges::sort(sorted);
        for (std::size_t i = 0; i < sorted.size(); ++i)
            if (sorted[i] != static_cast<std::int64_t>(i)) return std::nullopt;
        return perm;
    }
    const int rank = transpose.inputs.empty() ? -1 : scope.rank(transpose.inputs[0]);
    if (rank < 0) return std::nullopt;
    for (int i = rank; i-- > 0;) perm.push_back(i);
    return perm;
}

Ints inverse(const Ints& permutation) {
    Ints out(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        at(out, permutation[i]) = static_cast<std::int64_t>(i);
    return out;
}

Ints compose(const Ints& first, const Ints& second) {
    Ints out(second.size());
    for (std::size_t i = 0; i < second.size(); ++i) out[i] = at(first, second[i]);
    return out;
}

bool is_identity(const Ints& permutation) {
    for (std::size_t i = 0; i < permutation.size(); ++i)
        if (permutation[i] != static_cast<std::int64_t>(i)) return false;
    return true;
}

std::string to_text(const Ints& values) {
    std::string text = "[";
    for (std::int64_t v : values) text += (text.size() > 1 ? "," : "") + std::to_string(v);
    return text + "]";
}

std::vector<NodeId> nodes_above(const Scope& scope, ValueId value) {
    std::vector<NodeId> found;
    const auto add = [&](ValueId v) {
        if (const Node* above = scope.producer(v);
            above && std::ranges::find(found, above->id) == found.end())
            found.push_back(above->id);
    };
    add(value);
    for (std::size_t i = 0; i < found.size() && found.size() < 64; ++i)
        for (ValueId v : scope.node(found[i]).inputs) add(v);
    return found;
}

Call reshape_call(PassContext& context, ValueId data, const Ints& shape) {
    return {"Reshape", {data, context.constant_ints("shape", shape)}, {}};
}

Call axes_call(PassContext& context, std::string op, ValueId data, const Ints& axes,
               std::vector<Attribute> attributes) {
    if (axes_are_input(op, context.opset()))
        return {std::move(op), {data, context.constant_ints("axes", axes)}, std::move(attributes)};
    attributes.push_back(attr("axes", axes));
    return {std::move(op), {data}, std::move(attributes)};
}

Call slice_call(PassContext& context, ValueId data, const std::vector<SliceAxis>& axes) {
    Ints starts, ends, indices, steps;
    for (const SliceAxis& a : axes) {
        starts.push_back(a.start);
        ends.push_back(a.end);
        indices.push_back(a.axis);
        steps.push_back(a.step);
    }
    if (context.opset() < 10)
        return {
            "Slice", {data}, {attr("starts", starts), attr("ends", ends), attr("axes", indices)}};
    std::vector<ValueId> inputs{data, context.constant_ints("starts", starts),
                                context.constant_ints("ends", ends),
                                context.constant_ints("axes", indices)};
    if (std::ranges::any_of(steps, [](std::int64_t s) { return s != 1; }))
        inputs.push_back(context.constant_ints("steps", steps));
    return {"Slice", std::move(inputs), {}};
}

}  // namespace lapidary
