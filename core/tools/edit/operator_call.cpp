// SPDX-License-Identifier: Apache-2.0
#include "edit/operator_call.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_select.h>
#include <lapidary/internal/nearest_name.h>

#include "edit/edit_words.h"

namespace lapidary {
namespace {

template <typename T>
std::optional<T> number_of(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// The elements of "[1,2]"; a text without brackets is one element.
std::vector<std::string> elements_of(std::string_view text) {
    if (!text.starts_with('[') || !text.ends_with(']')) return {std::string(text)};
    return split_brackets(text, '[').second;
}

[[noreturn]] void refuse_attribute(const SchemaAttribute& schema, std::string_view expected,
                                   std::string_view found) {
    fail_input("attribute " + quote(schema.name) + ": expected " + std::string(expected) +
               ", found " + quote(found));
}

std::int64_t read_int(const SchemaAttribute& schema, std::string_view text) {
    const bool is_type = schema.name == "to" || schema.name.ends_with("dtype");
    if (const auto number = number_of<std::int64_t>(text)) {
        if (is_type && !is_known_dtype(*number)) refuse_attribute(schema, "an element type", text);
        return *number;
    }
    if (is_type)
        if (const auto dtype = dtype_from_name(unquoted_word(text)))
            return static_cast<std::int64_t>(*dtype);
    refuse_attribute(schema, is_type ? "an element type" : "a whole number", text);
}

float read_float(const SchemaAttribute& schema, std::string_view text) {
    const auto number = number_of<float>(text);
    if (!number) refuse_attribute(schema, "a number", text);
    return *number;
}

template <typename T, typename Read>
std::vector<T> read_list(const SchemaAttribute& schema, std::string_view text, const Read& read) {
    std::vector<T> list;
    for (const std::string& element : elements_of(text)) list.push_back(read(schema, element));
    return list;
}

template <typename T>
Tensor tensor_of_numbers(const std::vector<double>& numbers, const Shape& shape) {
    std::vector<T> values;
    for (const double number : numbers) values.push_back(static_cast<T>(number));
    return Tensor::of<T>(shape, values);
}

/// Numbers as a tensor: rank 0 for one without brackets, else rank 1.
Tensor constant_of_text(DType dtype, std::string_view text) {
    std::vector<double> numbers;
    for (const std::string& element : elements_of(text)) {
        const auto number = number_of<double>(element);
        if (!number)
            fail_input("expected the name of a value, a number or a list of numbers, found " +
                       quote(text));
        if (!is_float(dtype) && std::abs(*number) > 9007199254740992.0)
            fail_input("the number " + quote(element) + " is too large to be written here");
        numbers.push_back(*number);
    }
    const bool is_list = text.starts_with('[');
    const Shape shape = is_list ? Shape{static_cast<std::int64_t>(numbers.size())} : Shape{};
    switch (dtype) {
    case DType::f32: return tensor_of_numbers<float>(numbers, shape);
    case DType::f64: return tensor_of_numbers<double>(numbers, shape);
    case DType::i64: return tensor_of_numbers<std::int64_t>(numbers, shape);
    case DType::i32: return tensor_of_numbers<std::int32_t>(numbers, shape);
    default:
        fail_input("constants of " + std::string(name_of(dtype)) +
                   " cannot be written as numbers here: name a value of the model instead");
    }
}

/// The schema's element type of an input, where data of type `like` is put on the node.
DType element_type_of(const OpSchema& schema, std::size_t input, const Type& like) {
    const SchemaParameter* parameter = schema.input(input);
    if (parameter == nullptr) return like.dtype;
    if (const TypeConstraint* constraint = schema.constraint(parameter->type)) {
        if (like.dtype != DType::undefined && constraint->allows(like.dtype)) return like.dtype;
        for (const DType dtype : {DType::i64, DType::i32, DType::f32})
            if (constraint->allows(dtype)) return dtype;
        return like.dtype;
    }
    return dtype_from_name(parameter->type).value_or(like.dtype);
}

std::vector<std::string> operators_of(const std::string& domain) {
    std::vector<std::string> names;
    for (const OpSchema* schema : all_schemas())
        if (schema->domain == domain) names.push_back(schema->name);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

const OpSchema& schema_of(const EditedOperator& made) {
    const OpSchema* schema = find_schema(made.domain, made.op_type, made.version);
    if (schema != nullptr && !schema->deprecated) return *schema;
    if (is_known_operator(made.domain, made.op_type))
        fail_input("operator " + quote(made.op_type) + " does not exist in opset " +
                   std::to_string(made.version) + ", which the model imports");
    fail_input("no operator is called " + quote(made.op_type) +
               (made.domain.empty() ? "" : " in the domain " + quote(made.domain)) +
               did_you_mean(made.op_type, operators_of(made.domain)));
}

}  // namespace

Attribute read_attribute(const SchemaAttribute& schema, std::string_view text) {
    const std::string& kind = schema.kind;
    const auto word = [](const SchemaAttribute&, std::string_view element) {
        return unquoted_word(element);
    };
    if (kind == "i") return {schema.name, read_int(schema, text)};
    if (kind == "f") return {schema.name, read_float(schema, text)};
    if (kind == "s") return {schema.name, unquoted_word(text)};
    if (kind == "is") return {schema.name, read_list<std::int64_t>(schema, text, read_int)};
    if (kind == "fs") return {schema.name, read_list<float>(schema, text, read_float)};
    if (kind == "ss") return {schema.name, read_list<std::string>(schema, text, word)};
    if (kind == "t")
        return {schema.name,
                constant_of_text(
                    text.find_first_of(".eE") != std::string_view::npos ? DType::f32 : DType::i64,
                    text)};
    refuse_attribute(schema, "a kind that can be written as text (this one is a graph or a type)",
                     text);
}

Attribute read_attribute(const std::string& name, std::string_view text) {
    if (text.starts_with('[')) {
        const std::vector<std::string> elements = elements_of(text);
        const auto all = [&](const auto& fits) { return std::ranges::all_of(elements, fits); };
        SchemaAttribute schema{name, "ss", false, {}};
        if (all([](const std::string& e) { return number_of<std::int64_t>(e).has_value(); }))
            schema.kind = "is";
        else if (all([](const std::string& e) { return number_of<float>(e).has_value(); }))
            schema.kind = "fs";
        return read_attribute(schema, text);
    }
    if (const auto number = number_of<std::int64_t>(text)) return {name, *number};
    if (const auto number = number_of<float>(text)) return {name, *number};
    return {name, unquoted_word(text)};
}

std::size_t input_index(const OpSchema* schema, const std::string& name) {
    if (const auto number = number_of<std::size_t>(name)) {
        if (*number < (schema != nullptr ? schema->max_inputs : 1000) && *number < 1000)
            return *number;
        fail_input("there is no input " + name + "; the operator takes at most " +
                   std::to_string(schema != nullptr ? schema->max_inputs : 1000));
    }
    std::vector<std::string> known;
    if (schema != nullptr)
        for (std::size_t i = 0; i < schema->inputs.size(); ++i) {
            if (schema->inputs[i].name == name) return i;
            known.push_back(schema->inputs[i].name);
        }
    std::string list;
    for (const std::string& input : known) list += (list.empty() ? "" : ", ") + input;
    fail_input("no input is called " + quote(name) +
               (list.empty() ? ": give its number" : "; there are: " + list));
}

EditedOperator read_operator(EditContext& context, std::string_view word) {
    auto [name, parts] = split_brackets(word, '(');
    name = unquoted_word(name);
    EditedOperator made;
    const std::size_t colons = name.rfind("::");
    if (colons != std::string::npos) made.domain = name.substr(0, colons);
    if (made.domain == "ai.onnx") made.domain.clear();
    made.op_type = colons == std::string::npos ? name : name.substr(colons + 2);
    made.version = context.import_version(made.domain);
    made.schema = &schema_of(made);
    for (const std::string& part : parts) {
        const auto [key, text] = split_at_equals(part);
        if (key.empty() || text.empty())
            fail_input("expected NAME=VALUE in the brackets of " + quote(name) + ", found " +
                       quote(part));
        if (const SchemaAttribute* attribute = made.schema->attribute(key)) {
            made.attributes.push_back(read_attribute(*attribute, text));
            continue;
        }
        const bool is_input = std::ranges::any_of(
            made.schema->inputs, [&](const SchemaParameter& p) { return p.name == key; });
        if (!is_input) {
            std::vector<std::string> known;
            for (const SchemaAttribute& a : made.schema->attributes) known.push_back(a.name);
            for (const SchemaParameter& p : made.schema->inputs) known.push_back(p.name);
            std::string list;
            for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
            fail_input(quote(made.op_type) + " has no attribute or input " + quote(key) +
                       (list.empty() ? "" : "; it has: " + list));
        }
        made.inputs.emplace_back(input_index(made.schema, key), text);
    }
    return made;
}

ValueId input_value(EditContext& context, const EditedOperator& made, std::size_t input,
                    const std::string& text, const Type& like) {
    if (!text.starts_with('[') && !number_of<double>(text))
        return select_value(context.graph(), text);
    const SchemaParameter* parameter = made.schema->input(input);
    const std::string name =
        made.op_type + "_" + (parameter != nullptr ? parameter->name : std::to_string(input));
    return context.edit().add_initializer(
        context.edit().fresh_name(name),
        constant_of_text(element_type_of(*made.schema, input, like), text));
}

}  // namespace lapidary
