// SPDX-License-Identifier: Apache-2.0
// Element types of outputs from the type variables of a schema.
#include "ops/inference/graph_inference.h"

namespace lapidary {
namespace {

constexpr std::string_view wrappers[] = {"optional", "seq"};

/// "seq(T)" -> "T" with wrapper "seq"; false when `pattern` has no such wrapper.
bool unwrap(std::string_view& pattern, std::string_view wrapper) {
    if (!pattern.starts_with(wrapper) || pattern.size() <= wrapper.size() + 2 ||
        pattern[wrapper.size()] != '(')
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

/// The types bound to the type variables of an operator.
class BoundTypes {
public:
    const Type* find(std::string_view variable) const {
        for (const auto& [name, type] : bound_)
            if (name == variable) return &type;
        return nullptr;
    }

    /// Binds a variable to the type of an input, unless it is already bound; removes wrappers such
    /// as seq() around the variable.
    void bind(const SchemaParameter& parameter, const Type& input) {
        const Type* type = &input;
        std::string_view pattern = parameter.type;
        for (std::string_view wrapper : wrappers) {
            const auto kind = wrapper == "seq" ? Type::Kind::sequence : Type::Kind::optional;
            if (type->kind == kind && type->element && unwrap(pattern, wrapper))
                type = type->element.get();
        }
        if (type->is_tensor() && type->dtype == DType::undefined) return;
        if (!find(pattern)) bound_.emplace_back(pattern, bare(*type));
    }

private:
    std::vector<std::pair<std::string_view, Type>> bound_;
};

bool is_mixed(const SchemaParameter& parameter) {
    return parameter.is_variadic && !parameter.is_homogeneous;
}

Type output_type(const OpSchema& schema, const SchemaParameter& parameter,
                 const BoundTypes& bound) {
    std::string_view pattern = parameter.type;
    const bool is_optional = unwrap(pattern, "optional"), is_sequence = unwrap(pattern, "seq");
    Type type;
    if (const Type* known = bound.find(pattern)) {
        type = *known;
    } else if (const TypeConstraint* constraint = schema.constraint(pattern)) {
        if (constraint->allowed.size() == 1) type = type_from_text(constraint->allowed[0]);
    } else {
        type = type_from_text(pattern);
    }
    if (is_sequence) type = Type::sequence(type);
    return is_optional ? Type::optional(type) : type;
}

}  // namespace

void bind_output_types(const OpSchema& schema, const std::vector<Type>& input_types,
                       std::vector<Type>& output_types) {
    BoundTypes bound;
    for (std::size_t i = 0; i < input_types.size(); ++i) {
        const SchemaParameter* parameter = schema.input(i);
        if (parameter && input_types[i].kind != Type::Kind::unknown && !is_mixed(*parameter))
            bound.bind(*parameter, input_types[i]);
    }
    for (std::size_t i = 0; i < output_types.size(); ++i) {
        const SchemaParameter* parameter = schema.output(i);
        if (parameter && !is_mixed(*parameter))
            output_types[i] = output_type(schema, *parameter, bound);
    }
}

}  // namespace lapidary
