// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/binary_values.h"

#include <algorithm>
#include <string_view>

#include "ops/operator_traits.h"
#include "passes/basic/rules/value_range.h"
#include "rewrite/constant_math.h"

namespace lapidary::attention {
namespace {

bool has_only_binary_elements(const Tensor& t) {
    if (t.dtype() == DType::boolean) return true;
    if (t.dtype() == DType::string || t.dtype() == DType::complex64 ||
        t.dtype() == DType::complex128 || t.size() > (1 << 22))
        return false;
    return std::ranges::all_of(to_doubles(t), [](double v) { return v == 0 || v == 1; });
}

/// `budget` limits the total number of operators to inspect, since operators with many inputs fan
/// out.
bool is_binary(const Scope& scope, ValueId value, int& budget) {
    const DType dtype = scope.dtype(value);
    if (dtype == DType::boolean) return true;
    if (const Tensor* t = scope.constant(value)) return has_only_binary_elements(*t);
    const Node* node = scope.producer(value);
    if (!node || !node->domain.empty() || node->inputs.empty() || --budget < 0) return false;
    const std::string_view op = node->op_type;
    const auto is = [&](std::size_t i) { return is_binary(scope, node->inputs[i], budget); };
    const OperatorTraits& traits = traits_of(*node);
    if (scope.value(value).producer_output != 0 && traits.layout != OperatorLayout::split)
        return false;
    if (traits.is_moved() || op == "Cast") return is(0);
    if (traits.elements == Elements::any_operand || op == "Mul") {
        for (std::size_t i = 0; i < node->inputs.size(); ++i)
            if (!is(i)) return false;
        return true;
    }
    if (op == "Sub") return scalar_of(scope.constant(node->inputs[0])) == 1.0 && is(1);
    if (op == "Where") return is(1) && is(2);
    if (op == "Hardmax") return true;
    if (!is_integer(dtype)) return false;
    const ValueRange range = range_of(scope, value);
    return range.low >= 0 && range.high <= 1;
}

}  // namespace

bool is_zero_or_one(const Scope& scope, ValueId value) {
    int budget = 64;
    return is_binary(scope, value, budget);
}

}  // namespace lapidary::attention
