// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors: constants, shapes, ranges, random numbers, windows.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

SymbolicShape shape_of_tensor(const Tensor& tensor) {
    return SymbolicShape(tensor.shape().begin(), tensor.shape().end());
}

/// The shape attribute of the random generators.
void shape_from_attribute(InferenceContext& ctx) {
    SymbolicShape result;
    for (std::int64_t dim : ctx.node().ints_attribute("shape")) {
        if (dim < 0) ctx.fail(fmt::format("attribute shape must not be negative, found {}", dim));
        result.push_back(dim);
    }
    ctx.set_output_shape(0, std::move(result));
}

/// A shape given as an input, or the rank alone when only its length is known.
void shape_from_input(InferenceContext& ctx, std::size_t input) {
    const InputShape* list = ctx.input_shape(input);
    const auto entries = ctx.elements(input);
    if (!entries) {
        if (list && list->size() == 1 && (*list)[0].is_known() && (*list)[0].value() <= 64) {
            ctx.set_output_shape(0, SymbolicShape(static_cast<std::size_t>((*list)[0].value())));
        }
        return;
    }
    SymbolicShape result;
    for (const Dim& entry : *entries) {
        const auto number = constant_of(entry);
        if (number && *number < 0) ctx.fail(fmt::format("a dimension cannot be {}", *number));
        result.push_back(number || surely_not_negative(entry) ? entry : Dim());
    }
    ctx.set_output_shape(0, std::move(result));
}

}  // namespace

void infer_constant(InferenceContext& ctx) {
    const Node& node = ctx.node();
    int given = 0;
    for (const char* name : {"value", "sparse_value", "value_int", "value_ints", "value_float",
                             "value_floats", "value_string", "value_strings"}) {
        given += node.has_attribute(name) ? 1 : 0;
    }
    if (given != 1) ctx.fail(fmt::format("needs exactly one value attribute, found {}", given));
    const auto list = [&](DType dtype, std::size_t count) {
        set_dtype(ctx, 0, dtype);
        ctx.set_output_shape(0, {static_cast<std::int64_t>(count)});
    };
    const auto scalar = [&](DType dtype) {
        set_dtype(ctx, 0, dtype);
        ctx.set_output_shape(0, {});
    };
    if (const Tensor* tensor = node.tensor_attribute("value")) {
        set_dtype(ctx, 0, tensor->dtype());
        ctx.set_output_shape(0, shape_of_tensor(*tensor));
    } else if (const Attribute* sparse = node.attribute("sparse_value")) {
        if (const auto* held = std::get_if<SparseTensor>(&sparse->value)) {
            set_dtype(ctx, 0, held->values.dtype());
            ctx.set_output_shape(0, SymbolicShape(held->shape.begin(), held->shape.end()));
        }
    } else if (node.has_attribute("value_int")) scalar(DType::i64);
    else if (node.has_attribute("value_float")) scalar(DType::f32);
    else if (node.has_attribute("value_string")) scalar(DType::string);
    else if (node.has_attribute("value_ints"))
        list(DType::i64, node.ints_attribute("value_ints").size());
    else if (node.has_attribute("value_floats"))
        list(DType::f32, node.floats_attribute("value_floats").size());
    else list(DType::string, node.strings_attribute("value_strings").size());
}

void infer_constant_of_shape(InferenceContext& ctx) {
    const Tensor* filler = ctx.node().tensor_attribute("value");
    if (filler && filler->size() != 1)
        ctx.fail(fmt::format("attribute value must hold one element, found {}", filler->size()));
    set_dtype(ctx, 0, filler ? filler->dtype() : DType::f32);
    shape_from_input(ctx, 0);
}

void infer_shape(InferenceContext& ctx) {
    const InputShape* shape = ctx.input_shape(0);
    if (!shape) return ctx.set_output_shape(0, {Dim()});
    const auto rank = static_cast<std::int64_t>(shape->size());
    const auto clamped = [&](std::int64_t position) {
        return std::clamp<std::int64_t>(position < 0 ? position + rank : position, 0, rank);
    };
    const std::int64_t start = clamped(ctx.node().int_attribute("start", 0)),
                       end = clamped(ctx.node().int_attribute("end", rank));
    ctx.set_output_shape(0, {std::max<std::int64_t>(0, end - start)});
}

void infer_size(InferenceContext& ctx) { ctx.set_output_shape(0, {}); }

void infer_range(InferenceContext& ctx) {
    static constexpr std::string_view names[] = {"start", "limit", "delta"};
    for (std::size_t i = 0; i < 3; ++i) require_scalar(ctx, i, names[i]);
    const auto is_one = [](const auto& list) { return list && list->size() == 1; };
    const auto start = ctx.elements(0), limit = ctx.elements(1), delta = ctx.elements(2);
    if (is_one(start) && is_one(limit) && is_one(delta)) {
        const auto step = constant_of((*delta)[0]);
        if (step == 0) ctx.fail("delta must not be 0");
        Dim distance = subtract((*limit)[0], (*start)[0]), stride = (*delta)[0];
        if (step && *step < 0) {
            distance = subtract((*start)[0], (*limit)[0]);
            stride = subtract(0, stride);
        }
        return ctx.set_output_shape(0, {maximum(ceil_divide(distance, stride), 0)});
    }
    const auto first = ctx.constant_floats(0), last = ctx.constant_floats(1),
               by = ctx.constant_floats(2);
    if (is_one(by) && (*by)[0] == 0) ctx.fail("delta must not be 0");
    if (is_one(first) && is_one(last) && is_one(by)) {
        const double count = std::ceil((static_cast<double>((*last)[0]) - (*first)[0]) / (*by)[0]);
        if (count < 9e15)
            return ctx.set_output_shape(0, {static_cast<std::int64_t>(std::fmax(count, 0))});
    }
    ctx.set_output_shape(0, {Dim()});
}

void infer_eye_like(InferenceContext& ctx) {
    shape_of_rank(ctx, 0, 2, "input");
    set_dtype(ctx, 0, dtype_attribute(ctx, "dtype", ctx.input_type(0).dtype));
    infer_same_shape(ctx);
}

void infer_random(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "dtype", DType::f32));
    shape_from_attribute(ctx);
}

void infer_random_like(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "dtype", ctx.input_type(0).dtype));
    infer_same_shape(ctx);
}

void infer_multinomial(InferenceContext& ctx) {
    const DType dtype = dtype_attribute(ctx, "dtype", DType::i32);
    if (dtype != DType::i32 && dtype != DType::i64)
        ctx.fail(fmt::format("attribute dtype must be i32 or i64, found {}", name_of(dtype)));
    set_dtype(ctx, 0, dtype);
    const std::int64_t samples = positive_attribute(ctx, "sample_size", 1);
    if (const InputShape* shape = shape_of_rank(ctx, 0, 2, "input"))
        ctx.set_output_shape(0, {(*shape)[0], samples});
}

/// HannWindow, HammingWindow, BlackmanWindow.
void infer_window(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "output_datatype", DType::f32));
    require_scalar(ctx, 0, "size");
    const auto size = ctx.elements(0);
    if (!size || size->size() != 1) return ctx.set_output_shape(0, {Dim()});
    const auto number = constant_of((*size)[0]);
    if (number && *number < 1) ctx.fail(fmt::format("size must be positive, found {}", *number));
    ctx.set_output_shape(0, {(*size)[0]});
}

void infer_mel_weight_matrix(InferenceContext& ctx) {
    set_dtype(ctx, 0, dtype_attribute(ctx, "output_datatype", DType::f32));
    const auto bins = ctx.elements(0), length = ctx.elements(1);
    const auto one = [&](const std::optional<std::vector<Dim>>& value,
                         std::string_view name) -> Dim {
        if (!value || value->size() != 1) return {};
        if (constant_of((*value)[0]).value_or(1) < 1)
            ctx.fail(fmt::format("{} must be positive, found {}", name, to_string((*value)[0])));
        return (*value)[0];
    };
    const Dim dft = one(length, "dft_length");
    ctx.set_output_shape(0, {add(floor_divide(dft, 2), 1), one(bins, "num_mel_bins")});
}

/// GivenTensorFill, which some old files have in place of Constant.
void infer_given_tensor_fill(InferenceContext& ctx) {
    if (ctx.output_type(0).dtype == DType::undefined) set_dtype(ctx, 0, DType::f32);
    if (ctx.node().has_attribute("shape")) return shape_from_attribute(ctx);
    if (ctx.has_input(0) && ctx.node().int_attribute("input_as_shape", 0) == 0)
        infer_same_shape(ctx);
}

}  // namespace lapidary
