// SPDX-License-Identifier: Apache-2.0
#include "ops/schemas/added_operators.h"
#include "ops/schemas/schema.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

struct SchemaLine {
    std::string_view domain, name;
    std::int64_t since_version;
    std::string_view inputs, outputs, types, attributes;
};

constexpr SchemaLine schema_lines[] = {
#define LAPIDARY_SCHEMA(domain, name, version, inputs, outputs, types, attributes) \
    {domain, name, version, inputs, outputs, types, attributes},
#include "ops/schemas/schemas_contrib.inc"
#include "ops/schemas/schemas_ml.inc"
#include "ops/schemas/schemas_onnx.inc"
#undef LAPIDARY_SCHEMA
};

/// Pieces between separators that are not inside parentheses; empty pieces are dropped.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] == '(') ++depth;
        if (i < text.size() && text[i] == ')') --depth;
        if (i < text.size() && (text[i] != separator || depth > 0)) continue;
        if (i > start) pieces.push_back(text.substr(start, i - start));
        start = i + 1;
    }
    return pieces;
}

struct ParsedParameters {
    std::vector<SchemaParameter> list;
    std::size_t least = 0, most = 0;
};

ParsedParameters parse_parameters(std::string_view text) {
    ParsedParameters result;
    for (std::string_view piece : split(text, ' ')) {
        const std::size_t colon = piece.find(':');
        std::string_view name = piece.substr(0, colon);
        SchemaParameter parameter;
        parameter.type = piece.substr(colon + 1);
        std::size_t least = 1;
        const std::size_t mark = name.find_first_of("?*");
        if (mark != std::string_view::npos) {
            std::string_view marks = name.substr(mark);
            name = name.substr(0, mark);
            parameter.is_optional = marks[0] == '?';
            parameter.is_variadic = marks[0] == '*';
            marks.remove_prefix(1);
            if (!marks.empty() && marks[0] == '~') {
                parameter.is_homogeneous = false;
                marks.remove_prefix(1);
            }
            if (parameter.is_optional) least = 0;
            if (!marks.empty()) std::from_chars(marks.data(), marks.data() + marks.size(), least);
        }
        parameter.name = name;
        const std::size_t position = result.list.size();
        if (least > 0) result.least = position + least;
        result.most = parameter.is_variadic ? SIZE_MAX : position + 1;
        result.list.push_back(std::move(parameter));
    }
    return result;
}

OpSchema parse_line(const SchemaLine& line) {
    OpSchema schema;
    schema.domain = line.domain;
    schema.name = line.name;
    schema.since_version = line.since_version;
    ParsedParameters inputs = parse_parameters(line.inputs);
    schema.inputs = std::move(inputs.list);
    schema.min_inputs = inputs.least;
    schema.max_inputs = inputs.most;
    ParsedParameters outputs = parse_parameters(line.outputs);
    schema.outputs = std::move(outputs.list);
    schema.min_outputs = outputs.least;
    schema.max_outputs = outputs.most;
    for (std::string_view piece : split(line.types, ' ')) {
        const std::size_t equals = piece.find('=');
        TypeConstraint constraint;
        constraint.variable = piece.substr(0, equals);
        for (std::string_view type : split(piece.substr(equals + 1), ',')) {
            if (auto dtype = dtype_from_name(type))
                constraint.tensor_types |= std::uint64_t{1} << static_cast<unsigned>(*dtype);
            constraint.allowed.emplace_back(type);
        }
        schema.constraints.push_back(std::move(constraint));
    }
    for (std::string_view piece : split(line.attributes, ' ')) {
        if (piece == "@deprecated") {
            schema.deprecated = true;
            continue;
        }
        SchemaAttribute attribute;
        const std::size_t colon = piece.find(':');
        attribute.name = piece.substr(0, colon);
        std::string_view kind = piece.substr(colon + 1);
        if (const std::size_t equals = kind.find('='); equals != std::string_view::npos) {
            attribute.default_text = kind.substr(equals + 1);
            kind = kind.substr(0, equals);
        }
        if (!kind.empty() && kind.back() == '!') {
            attribute.is_required = true;
            kind.remove_suffix(1);
        }
        attribute.kind = kind;
        schema.attributes.push_back(std::move(attribute));
    }
    return schema;
}

struct SchemaTable {
    std::vector<OpSchema> schemas;  // sorted by domain, name, version
    // "domain:name" -> [first, last)
    std::unordered_map<std::string, std::pair<std::size_t, std::size_t>> ranges;
};

std::string table_key(std::string_view domain, std::string_view name) {
    std::string key;
    key.reserve(domain.size() + name.size() + 1);
    key.append(domain).append(":").append(name);
    return key;
}

const SchemaTable& schema_table() {
    static const SchemaTable table = [] {
        SchemaTable made;
        made.schemas.reserve(std::size(schema_lines));
        for (const SchemaLine& line : schema_lines) made.schemas.push_back(parse_line(line));
        std::sort(made.schemas.begin(), made.schemas.end(),
                  [](const OpSchema& a, const OpSchema& b) {
                      return std::tie(a.domain, a.name, a.since_version) <
                             std::tie(b.domain, b.name, b.since_version);
                  });
        for (std::size_t first = 0; first < made.schemas.size();) {
            std::size_t last = first + 1;
            while (last < made.schemas.size() &&
                   made.schemas[last].domain == made.schemas[first].domain &&
                   made.schemas[last].name == made.schemas[first].name) {
                ++last;
            }
            made.ranges.emplace(table_key(made.schemas[first].domain, made.schemas[first].name),
                                std::pair(first, last));
            first = last;
        }
        return made;
    }();
    return table;
}

/// A type, or a variable of the schema.
bool is_parameter_type(const OpSchema& schema, const std::string& type) {
    return schema.constraint(type) || dtype_from_name(type);
}

/// Throws invalid_input where a text, perhaps from a plugin, is not a valid line of a table.
void check_parsed(const OpSchema& schema) {
    const auto refuse = [&](const std::string& what) {
        fail_input("operator " + quote(schema.domain + "::" + schema.name) + ": " + what);
    };
    if (schema.name.empty()) refuse("it has no name");
    if (schema.since_version < 1)
        refuse("expected a version of 1 or more, found " + std::to_string(schema.since_version));
    for (const auto* list : {&schema.inputs, &schema.outputs})
        for (const SchemaParameter& p : *list) {
            if (p.name.empty()) refuse("an input or output has no name");
            if (!is_parameter_type(schema, p.type))
                refuse("expected a type or a type variable for " + quote(p.name) + ", found " +
                       quote(p.type));
            if (p.is_variadic && &p != &list->back())
                refuse(quote(p.name) + " has any number of values, but is not last");
        }
    for (const TypeConstraint& c : schema.constraints)
        for (const std::string& type : c.allowed)
            if (!dtype_from_name(type))
                refuse("expected types for " + quote(c.variable) + ", found " + quote(type));
    constexpr std::string_view kinds[] = {"i", "f", "s", "t", "is", "fs", "ss"};
    for (const SchemaAttribute& a : schema.attributes)
        if (a.name.empty() || std::ranges::find(kinds, a.kind) == std::end(kinds))
            refuse("expected a kind (i f s t is fs ss) for attribute " + quote(a.name) +
                   ", found " + quote(a.kind));
}

const SchemaParameter* parameter_at(const std::vector<SchemaParameter>& list, std::size_t index) {
    if (index < list.size()) return &list[index];
    return !list.empty() && list.back().is_variadic ? &list.back() : nullptr;
}

}  // namespace

const SchemaAttribute* OpSchema::attribute(std::string_view attribute_name) const {
    for (const SchemaAttribute& candidate : attributes) {
        if (candidate.name == attribute_name) return &candidate;
    }
    return nullptr;
}

const TypeConstraint* OpSchema::constraint(std::string_view variable) const {
    for (const TypeConstraint& candidate : constraints) {
        if (candidate.variable == variable) return &candidate;
    }
    return nullptr;
}

const SchemaParameter* OpSchema::input(std::size_t index) const {
    return parameter_at(inputs, index);
}
const SchemaParameter* OpSchema::output(std::size_t index) const {
    return parameter_at(outputs, index);
}

OpSchema parse_schema(std::string_view domain, std::string_view name, std::int64_t since_version,
                      std::string_view inputs, std::string_view outputs, std::string_view types,
                      std::string_view attributes) {
    OpSchema schema = parse_line({domain, name, since_version, inputs, outputs, types, attributes});
    check_parsed(schema);
    return schema;
}

const OpSchema* find_schema(std::string_view domain, std::string_view op_type,
                            std::int64_t version) {
    const SchemaTable& table = schema_table();
    const auto found = table.ranges.find(table_key(domain, op_type));
    if (found == table.ranges.end()) {
        const AddedOperator* added = find_added_operator(domain, op_type, version);
        return added ? &added->schema : nullptr;
    }
    const OpSchema* best = nullptr;
    for (std::size_t i = found->second.first; i < found->second.second; ++i) {
        if (table.schemas[i].since_version <= version) best = &table.schemas[i];
    }
    return best;
}

bool is_known_operator(std::string_view domain, std::string_view op_type) {
    return schema_table().ranges.contains(table_key(domain, op_type)) ||
           find_added_operator(domain, op_type);
}

std::int64_t newest_version(std::string_view domain) {
    if (domain.empty()) return max_onnx_opset;
    std::int64_t newest = newest_added_version(domain);
    for (const OpSchema& schema : schema_table().schemas)
        if (schema.domain == domain) newest = std::max(newest, schema.since_version);
    return newest;
}

std::vector<const OpSchema*> all_schemas() {
    std::vector<const OpSchema*> all;
    for (const OpSchema& schema : schema_table().schemas) all.push_back(&schema);
    return all;
}

}  // namespace lapidary
