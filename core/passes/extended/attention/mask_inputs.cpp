// SPDX-License-Identifier: Apache-2.0
// The inputs that attention operators take masks by.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/dim_algebra.h"
#include "passes/constant_math.h"
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

/// Rows of a mask [.., 1, T] repeated for each query.
ValueId expanded(PassContext& context, ValueId value, const ScoreSizes& sizes, ValueId queries_of) {
    if (sizes.queries.is_known()) return context.node("Expand", {value, context.constant_ints("mask_shape", {1, 1, sizes.queries.value(), 1})});
    const ValueId shape = context.node("Shape", {queries_of});
    ValueId queries;
    if (context.opset() < 10) queries = context.node("Slice", {shape}, {attr("starts", std::vector<std::int64_t>{1}), attr("ends", std::vector<std::int64_t>{2})});
    else queries = context.node("Slice", {shape, context.constant_ints("mask_from", {1}), context.constant_ints("mask_to", {2})});
    const ValueId whole = context.node("Concat", {context.constant_ints("mask_outer", {1, 1}), queries, context.constant_ints("mask_keys", {1})}, {attr("axis", 0)});
    return context.node("Expand", {value, whole});
}

/// As rank 4, each row `times` times.
Tensor repeated_rows(const Tensor& t, std::int64_t times) {
    Shape shape = t.shape();
    while (shape.size() < 4) shape.insert(shape.begin(), 1);
    const std::vector<double> from = to_doubles(t);
    const auto keys = static_cast<std::size_t>(shape[3]);
    std::vector<double> to;
    for (std::size_t i = 0; i < from.size(); i += keys)
        for (std::int64_t r = 0; r < times; ++r) to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i), from.begin() + static_cast<std::ptrdiff_t>(i + keys));
    shape[2] *= times;
    return tensor_of_doubles(t.dtype(), shape, to);
}

/// The scores become scores + result.
ValueId one_bias(PassContext& context, const MaskTerm& term, const ScoreSizes& sizes, ValueId queries_of, DType dtype) {
    const Scope& scope = context.scope();
    ValueId value = term.value;
    const bool one_row = !surely_equal(sizes.queries, Dim(1)) && (scope.rank(value) < 2 || scope.dim(value, -2) == 1);
    if (term.kind == MaskTerm::Kind::add) {
        const bool repeat = one_row && sizes.queries.is_known();
        if (const Tensor* t = scope.constant(value); t && (scope.rank(value) < 4 || repeat)) {
            value = context.constant(scope.value(value).name, repeated_rows(*t, repeat ? sizes.queries.value() : 1));
            if (repeat) return value;
        }
    } else {
        if (scope.dtype(value) != DType::boolean) value = context.node("Cast", {value}, {attr("to", static_cast<std::int64_t>(9))});
        const ValueId zero = context.constant_scalar("seen", dtype, 0), hidden = context.constant_scalar("hidden", dtype, term.filler);
        const bool keep = term.kind == MaskTerm::Kind::keep;
        value = context.node("Where", {value, keep ? zero : hidden, keep ? hidden : zero});
    }
    value = unsqueezed_to_four(context, value);
    return one_row ? expanded(context, value, sizes, queries_of) : value;
}

}  // namespace

ValueId make_key_mask(PassContext& context, const KeyMask& mask) {
    const Scope& scope = context.scope();
    const auto to_int32 = attr("to", static_cast<std::int64_t>(6));
    if (!mask.reversed) return scope.dtype(mask.value) == DType::i32 ? mask.value : context.node("Cast", {mask.value}, {to_int32});
    ValueId hidden = mask.value;
    if (scope.dtype(hidden) != DType::boolean) hidden = context.node("Cast", {hidden}, {attr("to", static_cast<std::int64_t>(9))});
    return context.node("Cast", {context.node("Not", {hidden})}, {to_int32});
}

ValueId make_bias(PassContext& context, const ScoreMask& mask, const ScoreSizes& sizes, ValueId queries_of, DType dtype) {
    ValueId sum;
    for (const MaskTerm& term : mask.biases) {
        const ValueId one = one_bias(context, term, sizes, queries_of, dtype);
        sum = sum ? context.node("Add", {sum, one}) : one;
    }
    return sum;
}

}  // namespace lapidary::attention
