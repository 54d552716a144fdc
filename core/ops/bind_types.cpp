// SPDX-License-Identifier: Apache-2.0
// Element types of outputs from the type variables of a schema.
#include "ops/graph_inference.h"

namespace lapidary {
namespace {

constexpr std::string_view wrappers[] = {"optional", "seq"};

/// "seq(T)" -> "T" with wrapper "seq"; false when `pattern` has no such wrapper.
bool unwrap(std::string_view& pattern, std::string_view wrapper) {
    if (!pattern.starts_with(wrapper) || pattern.size() <= wrapper.size() + 2 || pattern[wrapper.size()] != '(')
        return false;
    pattern = pattern.substr(wrapper.size() + 1, pattern.size() - wrapper.size() - 2);
    return true;
}

/// The type without shapes.
Type bare(const Type& type) {
    Type result = type;
    result.shape.reset();
    result.denotation.clear();
    if (type.element) result.element = std::make_shared<const Type>(bare(*type.element));
    return result;
}

Type type_from_text(std::string_view text) {
    if (auto dtype = dtype_from_name(text)) return Type::tensor(*dtype);
    if (unwrap(text, "optional")) return Type::optional(type_from_text(text));
    if (unwrap(text, "seq")) return Type::sequence(type_from_text(text));
    if (unwrap(text, "map")) {
        Type map;
        map.kind = Type::Kind::map;
        const std::size_t comma = text.find(',');
        if (comma == std::string_view::npos) return {};
        map.key = dtype_from_name(text.substr(0, comma)).value_or(DType::undefined);
        map.dtype = dtype_from_name(text.substr(comma + 1)).value_or(DType::undefined);
        map.element = std::make_shared<const Type>(Type::tensor(map.dtype, {}));
        return map;
    }
    return {};
}

}  // namespace

void bind_output_types(const OpSchema& schema, const std::vector<Type>& input_types, std::vector<Type>& output_types) {
    std::vector<std::pair<std::string_view, Type>> bound;
    const auto find = [&](std::string_view variable) -> const Type* {
        for (const auto& [name, type] : bound) {
            if (name == variable) return &type;
        }
        return nullptr;
    };
    for (std::size_t i = 0; i < input_types.size(); ++i) {
        const SchemaParameter* parameter = schema.input(i);
        const Type* type = &input_types[i];
        if (!parameter || type->kind == Type::Kind::unknown || (parameter->is_variadic && !parameter->is_homogeneous))
            continue;
        std::string_view pattern = parameter->type;
        for (std::string_view wrapper : wrappers) {
            const auto kind = wrapper == "seq" ? Type::Kind::sequence : Type::Kind::optional;
            if (type->kind == kind && type->element && unwrap(pattern, wrapper)) type = type->element.get();
        }
        if (type->is_tensor() && type->dtype == DType::undefined) continue;
        if (!find(pattern)) bound.emplace_back(pattern, bare(*type));
    }
    for (std::size_t i = 0; i < output_types.size(); ++i) {
        const SchemaParameter* parameter = schema.output(i);
        if (!parameter || (parameter->is_variadic && !parameter->is_homogeneous)) continue;
        std::string_view pattern = parameter->type;
        const bool is_optional = unwrap(pattern, "optional"), is_sequence = unwrap(pattern, "seq");
        Type type;
        if (const Type* known = find(pattern)) {
            type = *known;
        } else if (const TypeConstraint* constraint = schema.constraint(pattern)) {
            if (constraint->allowed.size() == 1) type = type_from_text(constraint->allowed[0]);
        } else {
            type = type_from_text(pattern);
        }
        if (is_sequence) type = Type::sequence(type);
        if (is_optional) type = Type::optional(type);
        output_types[i] = type;
    }
}

}  // namespace lapidary
