// SPDX-License-Identifier: Apache-2.0
// The inputs that attention operators take masks by.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/dimensions/dim_algebra.h"
#include "rewrite/constant_math.h"
#include "passes/extended/attention/binary_values.h"
#include "passes/extended/attention/score_mask.h"

namespace lapidary::attention {
namespace {

ValueId unsqueezed_to_four(PassContext& context, ValueId value) {
    const int rank = context.scope().rank(value);
    if (rank >= 4) return value;
    std::vector<std::int64_t> axes;
    for (int i = rank; i < 4; ++i) axes.push_back(i - rank);
    if (context.opset() < 13) return context.node("Unsqueeze", {value}, {attr("axes", axes)});
    return context.node("Unsqueeze", {value, context.constant_ints("mask_axes", axes)});
}

/// Repeats the row of a mask [.., 1, T] for each query. If there are as many queries as keys, their
/// number is taken from the mask itself, so that layers that share the mask also share the repeated
/// one.
ValueId expanded(PassContext& context, ValueId value, const ScoreSizes& sizes, ValueId queries_of) {
    // Of one row of a value of rank 4 both make the same.
    const char* const repeat = context.opset() < 8 ? "Tile" : "Expand";
    if (sizes.queries.is_known())
        return context.node(
            repeat, {value, context.constant_ints("mask_shape", {1, 1, sizes.queries.value(), 1})});
    const auto& dims = context.scope().type(value).shape;
    const bool is_square = dims && dims->size() == 4 && surely_equal(dims->back(), sizes.queries);
    const ValueId shape = context.node("Shape", {is_square ? value : queries_of});
    const std::int64_t axis = is_square ? 3 : 1;
    ValueId queries;
    if (context.opset() < 10)
        queries = context.node("Slice", {shape},
                               {attr("starts", std::vector<std::int64_t>{axis}),
                                attr("ends", std::vector<std::int64_t>{axis + 1})});
    else
        queries = context.node("Slice", {shape, context.constant_ints("mask_from", {axis}),
                                         context.constant_ints("mask_to", {axis + 1})});
    const ValueId whole = context.node("Concat",
                                       {context.constant_ints("mask_outer", {1, 1}), queries,
                                        context.constant_ints("mask_keys", {1})},
                                       {attr("axis", 0)});
    return context.node(repeat, {value, whole});
}

/// As rank 4, each row `times` times.
Tensor repeated_rows(const Tensor& t, std::int64_t times) {
    Shape shape = t.shape();
    while (shape.size() < 4) shape.insert(shape.begin(), 1);
    const std::vector<double> from = to_doubles(t);
    const auto keys = static_cast<std::size_t>(shape[3]);
    std::vector<double> to;
    for (std::size_t i = 0; i < from.size(); i += keys)
        for (std::int64_t r = 0; r < times; ++r)
            to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i),
                      from.begin() + static_cast<std::ptrdiff_t>(i + keys));
    shape[2] *= times;
    return tensor_of_doubles(t.dtype(), shape, to);
}

bool has_one_row(const Scope& scope, ValueId value, const ScoreSizes& sizes) {
    return !surely_equal(sizes.queries, Dim(1)) &&
           (scope.rank(value) < 2 || scope.dim(value, -2) == 1);
}

/// The bias for `term` on top of `inner`, which may be empty.
ValueId with_term(PassContext& context, const MaskTerm& term, ValueId inner, DType dtype) {
    const Scope& scope = context.scope();
    ValueId value = term.value;
    if (term.kind == MaskTerm::Kind::add) {
        if (inner) return context.node("Add", {inner, value});
        const Tensor* t = scope.constant(value);
        return t && t->rank() < 4 ? context.constant(scope.value(value).name, repeated_rows(*t, 1))
                                  : value;
    }
    if (scope.dtype(value) != DType::boolean)
        value = context.node("Cast", {value}, {attr("to", static_cast<std::int64_t>(9))});
    const ValueId seen = inner ? inner : context.constant_scalar("seen", dtype, 0),
                  hidden = context.constant_scalar("hidden", dtype, term.filler);
    const bool keep = term.kind == MaskTerm::Kind::keep;
    return context.node("Where", {value, keep ? seen : hidden, keep ? hidden : seen});
}

}  // namespace

ValueId make_key_mask(PassContext& context, const KeyMask& mask) {
    const Scope& scope = context.scope();
    const auto to_int32 = attr("to", static_cast<std::int64_t>(6));
    if (!mask.reversed && is_zero_or_one(scope, mask.value))
        return scope.dtype(mask.value) == DType::i32
                   ? mask.value
                   : context.node("Cast", {mask.value}, {to_int32});
    ValueId set = mask.value;
    if (scope.dtype(set) != DType::boolean)
        set = context.node("Cast", {set}, {attr("to", static_cast<std::int64_t>(9))});
    return context.node("Cast", {mask.reversed ? context.node("Not", {set}) : set}, {to_int32});
}

ValueId make_bias(PassContext& context, const ScoreMask& mask, const ScoreSizes& sizes,
                  ValueId queries_of, DType dtype) {
    if (mask.biases.empty()) return {};
    const Scope& scope = context.scope();
    const bool one_row = std::ranges::all_of(
        mask.biases, [&](const MaskTerm& term) { return has_one_row(scope, term.value, sizes); });
    if (const MaskTerm& first = mask.biases.front(); one_row && mask.biases.size() == 1 &&
                                                     first.kind == MaskTerm::Kind::add &&
                                                     sizes.queries.is_known())
        if (const Tensor* t = scope.constant(first.value))
            return context.constant(scope.value(first.value).name,
                                    repeated_rows(*t, sizes.queries.value()));
    ValueId bias;
    for (const MaskTerm& term : mask.biases) bias = with_term(context, term, bias, dtype);
    bias = unsqueezed_to_four(context, bias);
    return one_row ? expanded(context, bias, sizes, queries_of) : bias;
}

}  // namespace lapidary::attention
