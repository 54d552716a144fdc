// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/shape_rule.h"

#include <unordered_map>

#include "ops/schemas/added_operators.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/schemas/schema.h"

namespace lapidary {

#define LAPIDARY_SHAPE_RULE(domain, op, function) void function(InferenceContext&);
#include "ops/rules/rule_list.inc"
#undef LAPIDARY_SHAPE_RULE

namespace {

/// Contents longer than this are not read into vectors: no shape is.
constexpr std::int64_t max_elements = 1024;

struct RuleLine {
    std::string_view domain, op;
    ShapeRule rule;
};

constexpr RuleLine rule_lines[] = {
#define LAPIDARY_SHAPE_RULE(domain, op, function) {domain, op, function},
#include "ops/rules/rule_list.inc"
#undef LAPIDARY_SHAPE_RULE
};

std::string rule_key(std::string_view domain, std::string_view op) {
    std::string key(domain);
    return key.append(":").append(op);
}

void infer_added(InferenceContext& context) {
    const Node& node = context.node();
    const AddedOperator* added = find_added_operator(node.domain, node.op_type, context.version());
    if (added && added->infer) added->infer(context);
}

}  // namespace

ShapeRule find_shape_rule(std::string_view domain, std::string_view op_type) {
    static const std::unordered_map<std::string, ShapeRule> table = [] {
        std::unordered_map<std::string, ShapeRule> made;
        for (const RuleLine& line : rule_lines)
            made.emplace(rule_key(line.domain, line.op), line.rule);
        return made;
    }();
    const auto found = table.find(rule_key(domain, op_type));
    if (found != table.end()) return found->second;
    return find_added_operator(domain, op_type) ? &infer_added : nullptr;
}

void InputShape::refuse(std::size_t i) const {
    const Node& node = context_->node();
    const OpSchema* schema = find_schema(node.domain, node.op_type, context_->version());
    const SchemaParameter* parameter = schema ? schema->input(input_) : nullptr;
    const std::string name = parameter ? " (" + parameter->name + ")" : "";
    context_->fail("input " + std::to_string(input_) + name + " must have rank " +
                   std::to_string(i + 1) + " or more, found rank " + std::to_string(size()) + " (" +
                   to_string(*dims_) + ")");
}

std::vector<InputShape> input_shapes_of(const InferenceContext& context) {
    std::vector<InputShape> shapes;
    shapes.reserve(context.input_count());
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        const Type& type = context.input_type(i);
        shapes.emplace_back(context, i, type.is_tensor() && type.shape ? &*type.shape : nullptr);
    }
    return shapes;
}

std::optional<std::vector<std::int64_t>> InferenceContext::constant_ints(std::size_t index) const {
    const KnownValue& value = input_value(index);
    if (value.tensor) {
        if (value.tensor->size() > max_elements ||
            !(is_integer(value.tensor->dtype()) || value.tensor->dtype() == DType::boolean)) {
            return std::nullopt;
        }
        return to_int64s(*value.tensor);
    }
    if (!value.elements) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Dim& element : *value.elements) {
        const auto number = constant_of(element);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<float>> InferenceContext::constant_floats(std::size_t index) const {
    const KnownValue& value = input_value(index);
    if (!value.tensor || value.tensor->size() > max_elements || !is_float(value.tensor->dtype()))
        return std::nullopt;
    const std::vector<double> numbers = to_doubles(*value.tensor);
    return std::vector<float>(numbers.begin(), numbers.end());
}

std::optional<std::vector<Dim>> InferenceContext::elements(std::size_t index) const {
    const KnownValue& value = input_value(index);
    if (value.elements) return value.elements;
    const auto numbers = constant_ints(index);
    if (!numbers) return std::nullopt;
    std::vector<Dim> dims;
    for (std::int64_t number : *numbers) dims.push_back(dim_of(number));
    return dims;
}

}  // namespace lapidary
