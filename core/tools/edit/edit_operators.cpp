// SPDX-License-Identifier: Apache-2.0
#include <lapidary/edit/edit_operators.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <lapidary/edit/edit_script.h>

#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

struct HelpLine {
    std::string_view domain, op_type, attribute, text;
};

constexpr HelpLine help_lines[] = {
#define LAPIDARY_OPERATOR_HELP(domain, op_type, attribute, text) {domain, op_type, attribute, text},
#include "edit/operators/operator_help.inc"
#undef LAPIDARY_OPERATOR_HELP
};

struct ChoiceLine {
    std::string_view op_type, attribute, values;
};

constexpr ChoiceLine choice_lines[] = {
#define LAPIDARY_ATTRIBUTE_CHOICES(op_type, attribute, values) {op_type, attribute, values},
#include "edit/operators/attribute_choices.inc"
#undef LAPIDARY_ATTRIBUTE_CHOICES
};

std::string_view help_of(std::string_view domain, std::string_view op_type,
                         std::string_view attribute) {
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
    static const std::map<Key, std::string_view> texts = [] {
        std::map<Key, std::string_view> map;
        for (const HelpLine& line : help_lines)
            map.emplace(Key{line.domain, line.op_type, line.attribute}, line.text);
        return map;
    }();
    const auto found = texts.find(Key{domain, op_type, attribute});
    return found == texts.end() ? std::string_view() : found->second;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// Whether an attribute that is a whole number stands for an element type.
bool names_element_type(std::string_view attribute) {
    return attribute == "to" || attribute.ends_with("dtype");
}

bool names_element_type(const SchemaAttribute& attribute) {
    return attribute.kind == "i" && names_element_type(attribute.name);
}

std::vector<std::string> choices_of(const OpSchema& schema, const SchemaAttribute& attribute) {
    std::vector<std::string> choices;
    if (names_element_type(attribute)) {
        for (int number = 1; number <= 64; ++number)
            if (is_known_dtype(number))
                choices.emplace_back(onnx_name_of(static_cast<DType>(number)));
        return choices;
    }
    for (const ChoiceLine& line : choice_lines)
        if (line.attribute == attribute.name &&
            (line.op_type == "*" || line.op_type == schema.name))
            return words_of(line.values);
    return choices;
}

std::string_view kind_name(std::string_view kind) {
    static constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"i", "int"},      {"f", "float"},   {"s", "string"}, {"t", "tensor"},   {"g", "graph"},
        {"y", "type"},     {"S", "sparse"},  {"is", "ints"},  {"fs", "floats"},  {"ss", "strings"},
        {"ts", "tensors"}, {"gs", "graphs"}, {"ys", "types"}, {"Ss", "sparses"},
    };
    for (const auto& [letters, name] : names)
        if (letters == kind) return name;
    return kind;
}

/// The default of the table as lines have it.
std::string default_word(const SchemaAttribute& attribute) {
    const std::string& text = attribute.default_text;
    if (text.empty()) return {};
    if (names_element_type(attribute) &&
        std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
        is_known_dtype(std::stoll(text)))
        return std::string(onnx_name_of(static_cast<DType>(std::stoll(text))));
    if (attribute.kind == "is" || attribute.kind == "fs") return "[" + text + "]";
    if (attribute.kind != "ss") return attribute.kind == "s" ? edit_word(text) : text;
    std::string list;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && text[i] != ',') continue;
        list += (list.empty() ? "" : ",") + edit_word(text.substr(begin, i - begin));
        begin = i + 1;
    }
    return "[" + list + "]";
}

std::string types_text(const OpSchema& schema, const SchemaParameter& parameter) {
    const TypeConstraint* constraint = schema.constraint(parameter.type);
    if (constraint == nullptr) return parameter.type;
    std::string text;
    for (const std::string& type : constraint->allowed) text += (text.empty() ? "" : ", ") + type;
    return text;
}

std::vector<ParameterForm> parameters_of(const OpSchema& schema,
                                         const std::vector<SchemaParameter>& parameters) {
    std::vector<ParameterForm> forms;
    for (const SchemaParameter& parameter : parameters)
        forms.push_back({parameter.name, types_text(schema, parameter), parameter.is_optional,
                         parameter.is_variadic});
    return forms;
}

OperatorForm form_of(const OpSchema& schema) {
    OperatorForm form;
    form.domain = schema.domain;
    form.name = schema.name;
    form.since_version = schema.since_version;
    form.help = help_of(schema.domain, schema.name, {});
    form.inputs = parameters_of(schema, schema.inputs);
    form.outputs = parameters_of(schema, schema.outputs);
    for (const SchemaAttribute& attribute : schema.attributes) {
        static constexpr std::string_view writable[] = {"i", "f", "s", "is", "fs", "ss", "t"};
        form.attributes.push_back({attribute.name, std::string(kind_name(attribute.kind)),
                                   attribute.is_required, default_word(attribute),
                                   choices_of(schema, attribute),
                                   std::string(help_of(schema.domain, schema.name, attribute.name)),
                                   std::ranges::count(writable, attribute.kind) > 0});
    }
    return form;
}

template <typename T>
std::string list_word(const std::vector<T>& list, std::size_t most) {
    if (list.size() > most) return {};
    std::string text;
    for (const T& element : list) {
        text += text.empty() ? "" : ",";
        if constexpr (std::is_same_v<T, std::string>) text += edit_word(element);
        else text += fmt::format("{}", element);
    }
    return "[" + text + "]";
}

}  // namespace

std::vector<OperatorForm> operator_forms(const Model& model) {
    std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> versions;
    for (const OpSchema* schema : all_schemas())
        if (schema->domain != "lapidary")
            versions[{schema->domain, schema->name}].push_back(schema->since_version);
    std::vector<OperatorForm> forms;
    for (auto& [key, list] : versions) {
        const auto& [domain, name] = key;
        const std::int64_t import = model.opset(domain);
        const OpSchema* schema =
            find_schema(domain, name, import > 0 ? import : newest_version(domain));
        if (schema == nullptr || schema->deprecated) continue;
        forms.push_back(form_of(*schema));
        std::ranges::sort(list);
        forms.back().versions = std::move(list);
    }
    return forms;
}

std::optional<OperatorForm> operator_form(std::string_view domain, std::string_view op_type,
                                          std::int64_t version) {
    const OpSchema* schema = find_schema(domain, op_type, version);
    if (schema == nullptr) return std::nullopt;
    OperatorForm form = form_of(*schema);
    for (const OpSchema* other : all_schemas())
        if (other->domain == domain && other->name == op_type)
            form.versions.push_back(other->since_version);
    std::ranges::sort(form.versions);
    return form;
}

std::string attribute_word(const Attribute& attribute, std::size_t most) {
    const AttributeValue& value = attribute.value;
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return names_element_type(attribute.name) && is_known_dtype(*number)
                   ? std::string(onnx_name_of(static_cast<DType>(*number)))
                   : std::to_string(*number);
    if (const auto* number = std::get_if<float>(&value)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string>(&value))
        return text->size() > 4096 ? std::string() : edit_word(*text);
    if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value))
        return list_word(*ints, most);
    if (const auto* floats = std::get_if<std::vector<float>>(&value))
        return list_word(*floats, most);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        return list_word(*texts, most);
    return {};
}

}  // namespace lapidary
