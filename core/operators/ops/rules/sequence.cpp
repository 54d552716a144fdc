// SPDX-License-Identifier: Apache-2.0
// Sequences and optionals.
#include <fmt/format.h>

#include "ops/inference/merge_types.h"
#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

const Type* element_of(const InferenceContext& ctx, std::size_t input) {
    const Type& type = ctx.input_type(input);
    return type.kind == Type::Kind::sequence && type.element ? type.element.get() : nullptr;
}

}  // namespace

void infer_sequence_construct(InferenceContext& ctx) {
    Type element = ctx.input_type(0);
    for (std::size_t i = 1; i < ctx.input_count(); ++i)
        element = generalize(element, ctx.input_type(i));
    if (element.is_tensor()) ctx.output_type(0) = Type::sequence(element);
}

void infer_sequence_empty(InferenceContext& ctx) {
    ctx.output_type(0) = Type::sequence(Type::tensor(dtype_attribute(ctx, "dtype", DType::f32)));
}

void infer_sequence_insert(InferenceContext& ctx) {
    if (ctx.has_input(2)) require_scalar(ctx, 2, "position");
    const Type* element = element_of(ctx, 0);
    const Type& added = ctx.input_type(1);
    if (!element || !added.is_tensor()) return copy_type(ctx, 0, 0);
    if (element->is_tensor() && element->dtype != DType::undefined &&
        added.dtype != DType::undefined && element->dtype != added.dtype) {
        ctx.fail(fmt::format("cannot insert {} into a sequence of {}", name_of(added.dtype),
                             name_of(element->dtype)));
    }
    ctx.output_type(0) = Type::sequence(generalize(*element, added));
}

void infer_sequence_erase(InferenceContext& ctx) {
    if (ctx.has_input(1)) require_scalar(ctx, 1, "position");
    copy_type(ctx, 0, 0);
}

void infer_sequence_at(InferenceContext& ctx) {
    require_scalar(ctx, 1, "position");
    if (const Type* element = element_of(ctx, 0)) ctx.output_type(0) = *element;
}

void infer_scalar(InferenceContext& ctx) { ctx.set_output_shape(0, {}); }

void infer_concat_from_sequence(InferenceContext& ctx) {
    const std::int64_t fresh = ctx.node().int_attribute("new_axis", 0);
    if (fresh != 0 && fresh != 1)
        ctx.fail(fmt::format("attribute new_axis must be 0 or 1, found {}", fresh));
    const Type* element = element_of(ctx, 0);
    if (!element || !element->is_tensor()) return;
    set_dtype(ctx, 0, element->dtype);
    if (!element->shape) return;
    SymbolicShape result = *element->shape;
    if (result.empty() && fresh == 0)
        ctx.fail("numbers without dimensions can only be joined along a new axis");
    const std::size_t axis = checked_axis(ctx, ctx.node().int_attribute("axis", 0),
                                          result.size() + static_cast<std::size_t>(fresh));
    if (fresh) result.insert(result.begin() + static_cast<std::ptrdiff_t>(axis), Dim());
    else result[axis] = Dim();
    ctx.set_output_shape(0, std::move(result));
}

void infer_split_to_sequence(InferenceContext& ctx) {
    const Type& input = ctx.input_type(0);
    if (!input.is_tensor()) return;
    Type element = Type::tensor(input.dtype);
    if (const InputShape* shape = shape_of_least_rank(ctx, 0, 1, "input")) {
        const std::size_t axis =
            checked_axis(ctx, ctx.node().int_attribute("axis", 0), shape->size());
        SymbolicShape piece = *shape;
        piece[axis] = Dim();
        if (ctx.has_input(1)) {
            const InputShape* split = ctx.input_shape(1);
            if (split && split->size() > 1)
                ctx.fail("split must be a number or a list, found shape " + to_string(*split));
            if (const auto sizes = ctx.constant_ints(1); sizes && split) {
                std::int64_t sum = 0;
                bool equal = !sizes->empty();
                for (std::int64_t size : *sizes) {
                    if (size < 0 || (split->empty() && size == 0))
                        ctx.fail(fmt::format("a split size cannot be {}", size));
                    equal = equal && size == (*sizes)[0];
                    if (__builtin_add_overflow(sum, size, &sum))
                        ctx.fail("the split sizes overflow");
                }
                const Dim& whole = (*shape)[axis];
                if (!split->empty() && whole.is_known() && sum != whole.value()) {
                    ctx.fail(fmt::format("split sizes add up to {} where the axis has {} elements",
                                         sum, whole.value()));
                }
                const bool divides =
                    !split->empty() || (whole.is_known() && whole.value() % (*sizes)[0] == 0);
                if (equal && divides) piece[axis] = (*sizes)[0];
            }
            element.shape = std::move(piece);
        } else if (ctx.node().int_attribute("keepdims", 1) != 0) {
            piece[axis] = 1;
            element.shape = std::move(piece);
        } else {
            piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(axis));
            element.shape = std::move(piece);
        }
    }
    ctx.output_type(0) = Type::sequence(std::move(element));
}

void infer_optional(InferenceContext& ctx) {
    if (ctx.has_input(0)) {
        if (ctx.input_type(0).kind != Type::Kind::unknown)
            ctx.output_type(0) = Type::optional(ctx.input_type(0));
        return;
    }
    const Attribute* held = ctx.node().attribute("type");
    const Type* type = held ? std::get_if<Type>(&held->value) : nullptr;
    if (!type) ctx.fail("needs an input or the attribute type");
    ctx.output_type(0) = Type::optional(*type);
}

void infer_optional_get_element(InferenceContext& ctx) {
    const Type& type = ctx.input_type(0);
    if (type.kind == Type::Kind::optional && type.element) ctx.output_type(0) = *type.element;
    else if (type.kind != Type::Kind::optional) copy_type(ctx, 0, 0);
}

}  // namespace lapidary
