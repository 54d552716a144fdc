// SPDX-License-Identifier: Apache-2.0
#include "ops/values/value_propagation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/values/small_value.h"
#include "ops/values/value_movement.h"

namespace lapidary {
namespace {

std::string_view op_of(const InferenceContext& context) { return context.node().op_type; }

void follow_shape(InferenceContext& context) {
    const InputShape* shape = context.input_shape(0);
    auto out = small_output_frame(context, 0);
    if (!shape || !out || out->shape.size() != 1) return;
    const auto rank = static_cast<std::int64_t>(shape->size());
    std::int64_t start = context.node().int_attribute("start", 0);
    if (start < 0) start += rank;
    start = std::clamp<std::int64_t>(start, 0, rank);
    for (std::int64_t i = 0; i < out->shape[0] && start + i < rank; ++i)
        out->elements.push_back(Element::of(at(*shape, start + i)));
    if (static_cast<std::int64_t>(out->elements.size()) == out->shape[0])
        set_small_output(context, 0, *out);
}

void follow_size(InferenceContext& context) {
    const InputShape* shape = context.input_shape(0);
    if (!shape) return;
    set_small_output(context, 0, {DType::i64, {}, {Element::of(product(*shape))}});
}

/// The tensor of a Constant node: stored by the shape rule for value attributes; lists and numbers
/// here.
void follow_constant(InferenceContext& context) {
    const Node& node = context.node();
    if (const Tensor* tensor = node.tensor_attribute("value")) {
        context.set_output_value(0, {*tensor, {}});
    } else if (node.has_attribute("value_int")) {
        context.set_output_value(0, {Tensor::scalar(node.int_attribute("value_int", 0)), {}});
    } else if (node.has_attribute("value_float")) {
        context.set_output_value(0, {Tensor::scalar(node.float_attribute("value_float", 0)), {}});
    } else if (node.has_attribute("value_ints")) {
        const auto values = node.ints_attribute("value_ints");
        context.set_output_value(
            0, {Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values), {}});
    } else if (node.has_attribute("value_floats")) {
        const auto values = node.floats_attribute("value_floats");
        context.set_output_value(
            0, {Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values), {}});
    }
}

template <typename Combine>
void combine_two(InferenceContext& context, const SmallValue& a, const SmallValue& b,
                 Combine&& combine) {
    auto out = small_output_frame(context, 0);
    if (!out) return;
    const std::vector<std::int64_t> from_a = broadcast_index(a.shape, out->shape),
                                    from_b = broadcast_index(b.shape, out->shape);
    if (from_a.empty() || from_b.empty()) return;
    for (std::size_t i = 0; i < from_a.size(); ++i) {
        out->elements.push_back(combine(at(a.elements, from_a[i]), at(b.elements, from_b[i])));
    }
    set_small_output(context, 0, *out);
}

Element combine(const InferenceContext& context, const Element& a, const Element& b, DType dtype) {
    const std::string_view op = op_of(context);
    if (op == "Add" || op == "Sum") return add_elements(a, b, dtype);
    if (op == "Sub") return subtract_elements(a, b, dtype);
    if (op == "Mul") return multiply_elements(a, b, dtype);
    if (op == "Div") return divide_elements(a, b, dtype);
    if (op == "Mod")
        return modulo_elements(a, b, dtype, context.node().int_attribute("fmod", 0) != 0);
    if (op == "Max") return maximum_elements(a, b);
    if (op == "Min") return minimum_elements(a, b);
    if (op == "And" || op == "Or") {
        const auto x = a.as_int(), y = b.as_int();
        const std::int64_t decisive = op == "And" ? 0 : 1;
        if (x == decisive || y == decisive) return Element::of_int(decisive);
        return x && y ? Element::of_int(1 - decisive) : Element{};
    }
    return compare_elements(a, b, op);
}

void follow_two(InferenceContext& context) {
    const auto a = small_input(context, 0), b = small_input(context, 1);
    if (!a || !b || context.input_count() != 2) return;
    combine_two(context, *a, *b, [&](const Element& x, const Element& y) {
        return combine(context, x, y, a->dtype);
    });
}

/// Max, Min and Sum of one, two or more; more than two only when all have the output's shape.
void follow_several(InferenceContext& context) {
    if (context.input_count() == 2) return follow_two(context);
    auto total = small_input(context, 0);
    for (std::size_t i = 1; i < context.input_count() && total; ++i) {
        const auto next = small_input(context, i);
        if (!next || next->shape != total->shape) return;
        for (std::size_t k = 0; k < next->elements.size(); ++k) {
            total->elements[k] =
                combine(context, total->elements[k], next->elements[k], total->dtype);
        }
    }
    if (total) set_small_output(context, 0, *total);
}

Element of_one(std::string_view op, const Element& a, DType dtype) {
    if (op == "Not") return a.as_int() ? Element::of_int(1 - *a.as_int()) : Element{};
    if (op == "Neg") return subtract_elements(Element::of_int(0), a, dtype);
    if (op == "Abs") return maximum_elements(a, subtract_elements(Element::of_int(0), a, dtype));
    if (!a.real)
        return op == "Sqrt" && !a.as_real() ? Element{}
               : op == "Sqrt"
                   ? cast_element(Element::of_real(std::sqrt(*a.as_real())), dtype, dtype)
                   : a;
    if (op == "Floor") return Element::of_real(std::floor(*a.real));
    if (op == "Ceil") return Element::of_real(std::ceil(*a.real));
    if (op == "Round") return Element::of_real(std::nearbyint(*a.real));
    if (op == "Sqrt") return cast_element(Element::of_real(std::sqrt(*a.real)), dtype, dtype);
    return {};
}

void follow_one(InferenceContext& context) {
    auto value = small_input(context, 0);
    if (!value) return;
    for (Element& element : value->elements)
        element = of_one(op_of(context), element, value->dtype);
    set_small_output(context, 0, *value);
}

void follow_cast(InferenceContext& context) {
    auto value = small_input(context, 0);
    const DType to = context.output_type(0).dtype;
    if (!value || to == DType::undefined) return;
    for (Element& element : value->elements) element = cast_element(element, value->dtype, to);
    value->dtype = to;
    set_small_output(context, 0, *value);
}

void follow_where(InferenceContext& context) {
    const auto condition = small_input(context, 0), a = small_input(context, 1),
               b = small_input(context, 2);
    auto out = small_output_frame(context, 0);
    if (!condition || !out || (!a && !b)) return;
    const auto pick = [&](const std::optional<SmallValue>& from, std::size_t place) {
        if (!from) return Element{};
        const auto index = broadcast_index(from->shape, out->shape);
        return index.empty() ? Element{} : at(from->elements, index[place]);
    };
    const auto chosen = broadcast_index(condition->shape, out->shape);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto truth = at(condition->elements, chosen[i]).as_int();
        const Element yes = pick(a, i), no = pick(b, i);
        if (truth) out->elements.push_back(*truth ? yes : no);
        else
            out->elements.push_back(
                !yes.dim.is_unknown() && surely_equal(yes.dim, no.dim) ? yes : Element{});
    }
    if (!chosen.empty()) set_small_output(context, 0, *out);
}

void follow_range(InferenceContext& context) {
    const auto start = small_input(context, 0), delta = small_input(context, 2);
    auto out = small_output_frame(context, 0);
    if (!start || !delta || !out || start->elements.size() != 1 || delta->elements.size() != 1 ||
        out->shape.size() != 1)
        return;
    for (std::int64_t i = 0; i < out->shape[0]; ++i) {
        out->elements.push_back(add_elements(
            start->elements[0],
            multiply_elements(Element::of_int(i), delta->elements[0], start->dtype), start->dtype));
    }
    set_small_output(context, 0, *out);
}

void follow_fill(InferenceContext& context) {
    auto out = small_output_frame(context, 0);
    if (!out) return;
    const Tensor* filler = context.node().tensor_attribute("value");
    Element element = Element::of_int(0);
    if (filler && filler->size() == 1) {
        if (is_integer(filler->dtype()) || filler->dtype() == DType::boolean)
            element = Element::of_int(to_int64s(*filler)[0]);
        else if (is_float(filler->dtype())) element = Element::of_real(to_doubles(*filler)[0]);
        else return;
    }
    out->elements.assign(static_cast<std::size_t>(element_count(out->shape)), element);
    set_small_output(context, 0, *out);
}

using Follow = void (*)(InferenceContext&);

const std::unordered_map<std::string_view, Follow>& table() {
    static const std::unordered_map<std::string_view, Follow> made = {
        {"Shape", follow_shape},
        {"Size", follow_size},
        {"Constant", follow_constant},
        {"Cast", follow_cast},
        {"CastLike", follow_cast},
        {"Add", follow_two},
        {"Sub", follow_two},
        {"Mul", follow_two},
        {"Div", follow_two},
        {"Mod", follow_two},
        {"And", follow_two},
        {"Or", follow_two},
        {"Equal", follow_two},
        {"Less", follow_two},
        {"LessOrEqual", follow_two},
        {"Greater", follow_two},
        {"GreaterOrEqual", follow_two},
        {"Max", follow_several},
        {"Min", follow_several},
        {"Sum", follow_several},
        {"Not", follow_one},
        {"Neg", follow_one},
        {"Abs", follow_one},
        {"Floor", follow_one},
        {"Ceil", follow_one},
        {"Round", follow_one},
        {"Sqrt", follow_one},
        {"Where", follow_where},
        {"Range", follow_range},
        {"ConstantOfShape", follow_fill},
        {"Identity", follow_same_elements},
        {"Reshape", follow_same_elements},
        {"Squeeze", follow_same_elements},
        {"Unsqueeze", follow_same_elements},
        {"Flatten", follow_same_elements},
        {"Dropout", follow_same_elements},
        {"Gather", follow_gather},
        {"Slice", follow_slice},
        {"Concat", follow_concat},
        {"Split", follow_split},
        {"Transpose", follow_transpose},
        {"Expand", follow_expand},
        {"Tile", follow_tile},
        {"ScatterND", follow_scatter_nd},
        {"ReduceSum", follow_reduce},
        {"ReduceProd", follow_reduce},
        {"ReduceMax", follow_reduce},
        {"ReduceMin", follow_reduce},
        {"ReduceMean", follow_reduce},
        {"NonZero", follow_nonzero}};
    return made;
}

}  // namespace

void propagate_values(InferenceContext& context) {
    if (!context.node().domain.empty()) return;
    const auto found = table().find(context.node().op_type);
    if (found != table().end()) found->second(context);
}

}  // namespace lapidary
