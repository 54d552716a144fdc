// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/binary_values.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "passes/basic/value_range.h"
#include "passes/constant_math.h"

namespace lapidary::attention {
namespace {

// Elements of the first input, moved, repeated, left out or converted.
constexpr std::array<std::string_view, 13> keeping = {"Identity", "Cast", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten",
                                                      "Slice", "Gather", "Expand", "Tile", "Split", "Trilu"};
// Elements of all inputs, or products of them.
constexpr std::array<std::string_view, 4> joining = {"Concat", "Mul", "Min", "Max"};

bool has_only_binary_elements(const Tensor& t) {
    if (t.dtype() == DType::boolean) return true;
    if (t.dtype() == DType::string || t.dtype() == DType::complex64 || t.dtype() == DType::complex128 || t.size() > (1 << 22)) return false;
    return std::ranges::all_of(to_doubles(t), [](double v) { return v == 0 || v == 1; });
}

/// `budget` bounds the operators looked at altogether: joining ones fan out.
bool is_binary(const Scope& scope, ValueId value, int& budget) {
    const DType dtype = scope.dtype(value);
    if (dtype == DType::boolean) return true;
    if (const Tensor* t = scope.constant(value)) return has_only_binary_elements(*t);
    const Node* node = scope.producer(value);
    if (!node || !node->domain.empty() || node->inputs.empty() || --budget < 0) return false;
    const std::string_view op = node->op_type;
    const auto is = [&](std::size_t i) { return is_binary(scope, node->inputs[i], budget); };
    if (std::ranges::find(keeping, op) != keeping.end()) return is(0);
    if (std::ranges::find(joining, op) != joining.end()) {
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
