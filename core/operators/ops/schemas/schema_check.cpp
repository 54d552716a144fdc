// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "ops/schemas/added_operators.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

/// The table's kind letter of a stored attribute; "" for a reference to a caller's attribute.
std::string_view kind_letter(const AttributeValue& value) {
    static constexpr std::string_view letters[] = {"i",  "f",  "s",  "t",  "S",  "g",  "y", "is",
                                                   "fs", "ss", "ts", "Ss", "gs", "ys", ""};
    return letters[value.index()];
}

std::string kind_name(std::string_view letter) {
    static const std::map<std::string_view, std::string_view> names = {
        {"i", "int"},           {"f", "float"},    {"s", "string"},   {"t", "tensor"},
        {"S", "sparse tensor"}, {"g", "graph"},    {"y", "type"},     {"is", "ints"},
        {"fs", "floats"},       {"ss", "strings"}, {"ts", "tensors"}, {"Ss", "sparse tensors"},
        {"gs", "graphs"},       {"ys", "types"}};
    const auto found = names.find(letter);
    return std::string(found == names.end() ? letter : found->second);
}

/// True for an empty list. Some files give it the wrong kind, so any list kind is accepted.
bool is_empty_list(const AttributeValue& value) {
    return std::visit(
        [](const auto& held) {
            if constexpr (requires {
                              held.empty();
                              held.begin();
                          } &&
                          !std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
                return held.empty();
            } else {
                return false;
            }
        },
        value);
}

/// ONNX Runtime's own domains grow attributes without a new version. It also adds normalizations to
/// the ONNX domain, and runs them with misspelled attributes ("epsion" in several published
/// models).
bool takes_any_attribute(const OpSchema& schema) {
    if (!schema.domain.empty()) {
        const AddedOperator* added = find_added_operator(schema.domain, schema.name);
        return added ? added->takes_any_attribute : schema.domain != "ai.onnx.ml";
    }
    return schema.since_version == 1 &&
           (schema.name == "LayerNormalization" || schema.name == "SimplifiedLayerNormalization");
}

std::optional<std::string> attribute_violation(const OpSchema& schema, const Node& node) {
    if (schema.deprecated) return std::nullopt;
    for (const Attribute& attribute : node.attributes) {
        const SchemaAttribute* known = schema.attribute(attribute.name);
        if (!known && takes_any_attribute(schema)) continue;
        if (!known)
            return fmt::format("{} has no attribute {}", schema.name, quote(attribute.name));
        const std::string_view kind = kind_letter(attribute.value);
        if (kind.empty() || kind == known->kind) continue;
        if (is_empty_list(attribute.value) && known->kind.size() == 2) continue;
        return fmt::format("attribute {} must be of kind {}, found {}", quote(attribute.name),
                           kind_name(known->kind), kind_name(kind));
    }
    for (const SchemaAttribute& known : schema.attributes) {
        if (known.is_required && !node.has_attribute(known.name)) {
            return fmt::format("the required attribute {} is missing", quote(known.name));
        }
    }
    return std::nullopt;
}

std::string count_text(std::size_t least, std::size_t most) {
    if (most == SIZE_MAX) return fmt::format("at least {}", least);
    return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

std::optional<std::string> arity_violation(const OpSchema& schema, const Node& node) {
    const std::size_t inputs = node.inputs.size(), outputs = node.outputs.size();
    if (inputs < schema.min_inputs || inputs > schema.max_inputs) {
        return fmt::format("takes {} inputs, found {}",
                           count_text(schema.min_inputs, schema.max_inputs), inputs);
    }
    if (outputs < schema.min_outputs || outputs > schema.max_outputs) {
        return fmt::format("gives {} outputs, found {}",
                           count_text(schema.min_outputs, schema.max_outputs), outputs);
    }
    for (std::size_t i = 0; i < inputs; ++i) {
        const SchemaParameter* parameter = schema.input(i);
        if (!node.inputs[i] && parameter && !parameter->is_optional &&
            (!parameter->is_variadic || parameter->is_homogeneous)) {
            return fmt::format("input {} ({}) is required but left empty", i, parameter->name);
        }
    }
    return std::nullopt;
}

std::string_view inner_of(std::string_view type, std::string_view wrapper) {
    if (type.size() > wrapper.size() + 2 && type.starts_with(wrapper) &&
        type[wrapper.size()] == '(' && type.back() == ')') {
        return type.substr(wrapper.size() + 1, type.size() - wrapper.size() - 2);
    }
    return {};
}

/// Removes wrappers that `pattern` and `type` share: "seq(T)" and "seq(f32)" become "T" and "f32".
void strip_wrappers(std::string_view& pattern, std::string_view& type) {
    for (std::string_view wrapper : {"optional", "seq", "sparse", "optional", "seq"}) {
        const std::string_view inner_pattern = inner_of(pattern, wrapper),
                               inner_type = inner_of(type, wrapper);
        if (inner_pattern.empty() || inner_type.empty()) continue;
        pattern = inner_pattern;
        type = inner_type;
    }
}

std::optional<std::string> type_violation(const OpSchema& schema, const Node& node,
                                          std::span<const Type> input_types) {
    // variable -> type, input
    std::vector<std::pair<std::string_view, std::pair<std::string, std::size_t>>> bound;
    const std::size_t count = std::min(node.inputs.size(), input_types.size());
    for (std::size_t i = 0; i < count; ++i) {
        const SchemaParameter* parameter = schema.input(i);
        if (!node.inputs[i] || !parameter) continue;
        const Type& given = input_types[i];
        const TypeConstraint* constraint = schema.constraint(parameter->type);
        // The common case without making strings: a plain tensor whose type the constraint lists.
        if (constraint && given.is_tensor() && given.dtype != DType::undefined &&
            !constraint->allows(given.dtype)) {
            return fmt::format("input {} ({}) cannot be {}", i, parameter->name,
                               name_of(given.dtype));
        }
        const std::string spelling = schema_spelling(given);
        if (spelling.empty()) continue;
        std::string_view pattern = parameter->type, type = spelling;
        strip_wrappers(pattern, type);
        constraint = schema.constraint(pattern);
        if (!constraint) {
            if (pattern != type) {
                return fmt::format("input {} ({}) must be {}, found {}", i, parameter->name,
                                   parameter->type, spelling);
            }
            continue;
        }
        if (!given.is_tensor() && std::find(constraint->allowed.begin(), constraint->allowed.end(),
                                            type) == constraint->allowed.end()) {
            return fmt::format("input {} ({}) cannot be {}", i, parameter->name, spelling);
        }
        if (parameter->is_variadic && !parameter->is_homogeneous) continue;
        const auto found = std::find_if(bound.begin(), bound.end(),
                                        [&](const auto& entry) { return entry.first == pattern; });
        if (found == bound.end()) {
            bound.push_back({pattern, {std::string(type), i}});
        } else if (found->second.first != type) {
            return fmt::format("inputs {} and {} must have one type, found {} and {}",
                               found->second.second, i, found->second.first, type);
        }
    }
    return std::nullopt;
}

}  // namespace

std::string schema_spelling(const Type& type) {
    const Type* inner = &type;
    std::string front, back;
    for (int depth = 0; inner && depth < 8; ++depth) {
        switch (inner->kind) {
        case Type::Kind::tensor:
            return inner->dtype == DType::undefined
                       ? std::string()
                       : front + std::string(name_of(inner->dtype)) + back;
        case Type::Kind::sparse_tensor:
            return inner->dtype == DType::undefined
                       ? std::string()
                       : front + "sparse(" + std::string(name_of(inner->dtype)) + ")" + back;
        case Type::Kind::sequence:
            front += "seq(";
            back += ")";
            break;
        case Type::Kind::optional:
            front += "optional(";
            back += ")";
            break;
        case Type::Kind::map: {
            std::string held =
                inner->element
                    ? schema_spelling(*inner->element)
                    : std::string(inner->dtype == DType::undefined ? "" : name_of(inner->dtype));
            if (held.empty() || inner->key == DType::undefined) return {};
            return front + "map(" + std::string(name_of(inner->key)) + "," + held + ")" + back;
        }
        case Type::Kind::unknown: return {};
        }
        inner = inner->element.get();
    }
    return {};
}

std::optional<std::string> schema_violation(const OpSchema& schema, const Node& node,
                                            std::span<const Type> input_types) {
    if (auto violation = attribute_violation(schema, node)) return violation;
    if (auto violation = arity_violation(schema, node)) return violation;
    return type_violation(schema, node, input_types);
}

std::optional<std::string> schema_violation(const OpSchema& schema, const Graph& graph,
                                            const Node& node) {
    std::vector<Type> types(node.inputs.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (node.inputs[i]) types[i] = graph.value(node.inputs[i]).type;
    }
    return schema_violation(schema, node, types);
}

}  // namespace lapidary
