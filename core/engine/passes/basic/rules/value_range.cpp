// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/rules/value_range.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "passes/padded_window.h"

namespace lapidary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ValueRange joined(ValueRange a, ValueRange b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

ValueRange clipped(ValueRange r, ValueRange bounds) {
    return {std::clamp(r.low, bounds.low, bounds.high),
            std::clamp(r.high, bounds.low, bounds.high)};
}

ValueRange of_constant(const Tensor& t) {
    if (t.dtype() == DType::string || t.dtype() == DType::complex64 ||
        t.dtype() == DType::complex128 || t.size() > 65536)
        return {};
    ValueRange r{infinity, -infinity};
    for (double v : to_doubles(t))
        if (!std::isnan(v)) r = joined(r, {v, v});
    return r.low > r.high ? ValueRange{} : r;
}

}  // namespace

std::optional<ValueRange> clip_bounds(const Scope& scope, const Node& node) {
    if (node.op_type == "Relu") return ValueRange{0, infinity};
    ValueRange bounds;
    if (node.version < 11) {
        if (node.has_attribute("min")) bounds.low = node.float_attribute("min", 0);
        if (node.has_attribute("max")) bounds.high = node.float_attribute("max", 0);
        return bounds;
    }
    const auto read = [&](std::size_t i, double& bound) {
        if (i >= node.inputs.size() || !node.inputs[i]) return true;
        const auto v = scalar_of(scope.constant(node.inputs[i]));
        if (!v || std::isnan(*v)) return false;
        bound = *v;
        return true;
    };
    if (!read(1, bounds.low) || !read(2, bounds.high)) return std::nullopt;
    return bounds;
}

namespace {

/// Of results that are elements of the inputs, or averages of them; nothing where they are
/// computed.
template <typename Input>
std::optional<ValueRange> range_of_elements(Elements elements, const Node& node,
                                            const Input& input) {
    switch (elements) {
    case Elements::computed: return std::nullopt;
    case Elements::selected:
        if (node.op_type == "MaxPool" && may_see_only_padding(node)) return std::nullopt;
        return input(0);
    case Elements::moved:
    case Elements::averaged: return input(0);
    case Elements::moved_or_zero:
    case Elements::averaged_or_zero: return joined(input(0), {0, 0});
    case Elements::any_operand:
    case Elements::averaged_operands: break;
    }
    ValueRange r = input(0);
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
        const ValueRange next = input(i);
        if (node.op_type == "Max") r = {std::max(r.low, next.low), std::max(r.high, next.high)};
        else if (node.op_type == "Min")
            r = {std::min(r.low, next.low), std::min(r.high, next.high)};
        else r = joined(r, next);
    }
    return r;
}

bool is_float_type(DType t) {
    return t == DType::f32 || t == DType::f64 || t == DType::f16 || t == DType::bf16;
}

ValueRange range_of_type(DType dtype) {
    ValueRange range;
    if (dtype == DType::boolean) return {0, 1};
    if (is_integer(dtype) && !is_signed_integer(dtype) && bit_width(dtype) >= 8) range.low = 0;
    return range;
}

/// What the activation of FusedConv and FusedGemm leaves.
ValueRange range_of_activation(const std::string& activation, ValueRange otherwise) {
    if (activation == "Relu") return {0, infinity};
    if (activation == "Sigmoid" || activation == "HardSigmoid") return {0, 1};
    return otherwise;
}

/// x * x, and sums and products of what is not negative. Floats alone: integers wrap around.
template <typename Input>
bool is_never_negative(const Node& node, const Input& input) {
    if (!node.domain.empty() || node.inputs.size() != 2) return false;
    if (node.op_type == "Mul" && node.inputs[0] == node.inputs[1]) return true;
    return (node.op_type == "Add" || node.op_type == "Mul") && input(0).low >= 0 &&
           input(1).low >= 0;
}

/// A Cast of a number to an integer that keeps integers of one byte as they are.
bool is_cast_of_integers(const Scope& scope, const Node& node, DType dtype) {
    if (node.op_type != "Cast" || !node.domain.empty() || !is_integer(dtype)) return false;
    const DType from = scope.dtype(node.inputs[0]);
    return is_integer(from) || from == DType::boolean;
}

/// `budget` bounds the operators looked at altogether: Concat fans out.
ValueRange range_within(const Scope& scope, ValueId value, int depth, int& budget) {
    const DType dtype = scope.dtype(value);
    const ValueRange by_type = range_of_type(dtype);
    if (const Tensor* t = scope.constant(value)) return of_constant(*t);
    const Node* node = scope.producer(value);
    if (!node || node->inputs.empty() || depth == 0 || --budget < 0 ||
        scope.value(value).producer_output != 0)
        return by_type;
    const std::string op = node->qualified_op();
    if (op == "com.microsoft::FusedConv" || op == "com.microsoft::FusedGemm")
        return range_of_activation(node->string_attribute("activation", ""), by_type);
    const OperatorTraits& traits = traits_of(*node);
    const auto input = [&](std::size_t i) {
        return range_within(scope, node->inputs[i], depth - 1, budget);
    };
    if (traits.quantizing.role == QuantizeRole::absorbed) {  // Relu and Clip
        const auto bounds = clip_bounds(scope, *node);
        return bounds && bounds->low <= bounds->high ? clipped(input(0), *bounds) : by_type;
    }
    if (const auto range = range_of_elements(traits.elements, *node, input)) return *range;
    // Integers of one byte fit every integer type.
    if (is_cast_of_integers(scope, *node, dtype))
        if (const ValueRange in = input(0); in.low >= 0 && in.high <= 127) return in;
    if (!is_float_type(dtype)) return by_type;
    if (!traits.range.is_everywhere()) return traits.range;
    return is_never_negative(*node, input) ? ValueRange{0, infinity} : by_type;
}

}  // namespace

ValueRange range_of(const Scope& scope, ValueId value) {
    int budget = 64;
    return range_within(scope, value, 8, budget);
}

}  // namespace lapidary
