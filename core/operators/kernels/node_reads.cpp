// SPDX-License-Identifier: Apache-2.0
#include "kernels/node_reads.h"

#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include <lapidary/base/error.h>

#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

constexpr ReadsLine lines[] = {
#define LAPIDARY_READS(domain, op, newest, inputs, outputs, attributes, without_effect) \
    {domain, op, newest, inputs, outputs, attributes, without_effect},
#include "kernels/reads_contrib.inc"
#include "kernels/reads_ml.inc"
#include "kernels/reads_onnx.inc"
#undef LAPIDARY_READS
};

const ReadsLine* find_line(const Node& node) {
    static const std::unordered_map<std::string, const ReadsLine*> table = [] {
        std::unordered_map<std::string, const ReadsLine*> made;
        for (const ReadsLine& line : lines)
            made.emplace(std::string(line.domain).append(":").append(line.op_type), &line);
        return made;
    }();
    const auto found = table.find(node.domain + ":" + node.op_type);
    return found == table.end() ? nullptr : found->second;
}

/// Finds the word `name` or "name=..." in `list`. Returns the text after "=" ("" without one), or
/// nothing.
std::optional<std::string_view> entry_of(std::string_view list, std::string_view name) {
    for (std::size_t at = 0; at < list.size();) {
        std::size_t end = list.find(' ', at);
        if (end == std::string_view::npos) end = list.size();
        const std::string_view word = list.substr(at, end - at);
        if (word.starts_with(name)) {
            if (word.size() == name.size()) return std::string_view();
            if (word[name.size()] == '=') return word.substr(name.size() + 1);
        }
        at = end + 1;
    }
    return std::nullopt;
}

/// A number or text as the tables spell it; "" for values without a short spelling.
std::string value_text(const AttributeValue& value) {
    if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i);
    if (const auto* f = std::get_if<float>(&value)) return std::to_string(*f);
    if (const auto* s = std::get_if<std::string>(&value)) return *s;
    return {};
}

bool is_value(const AttributeValue& value, std::string_view expected) {
    if (expected.empty()) return false;
    const std::string text(expected);
    if (const auto* i = std::get_if<std::int64_t>(&value)) return std::to_string(*i) == text;
    if (const auto* f = std::get_if<float>(&value)) {
        const float number = std::strtof(text.c_str(), nullptr);
        return std::abs(*f - number) <= 1e-6f * std::abs(number);
    }
    if (const auto* s = std::get_if<std::string>(&value)) return *s == text;
    return false;
}

bool is_empty_list(const AttributeValue& value) {
    const auto* ints = std::get_if<std::vector<std::int64_t>>(&value);
    const auto* floats = std::get_if<std::vector<float>>(&value);
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    return (ints && ints->empty()) || (floats && floats->empty()) || (texts && texts->empty());
}

std::optional<std::string> unread_attribute(const ReadsLine& line, const OpSchema& schema,
                                            const Attribute& attribute) {
    if (entry_of(line.attributes, attribute.name)) return std::nullopt;
    const auto harmless = entry_of(line.without_effect, attribute.name);
    if (harmless && (harmless->empty() || is_value(attribute.value, *harmless)))
        return std::nullopt;
    const SchemaAttribute* known = schema.attribute(attribute.name);
    if ((known && is_value(attribute.value, known->default_text)) || is_empty_list(attribute.value))
        return std::nullopt;
    const std::string text = value_text(attribute.value);
    std::string reason = "attribute " + quote(attribute.name) +
                         (text.empty() ? " is given" : " is " + quote(text)) +
                         ", but no kernel of " + schema.name + " reads it";
    const std::string expected = harmless ? std::string(*harmless)
                                 : known  ? known->default_text
                                          : std::string();
    return expected.empty() ? reason : reason + "; expected " + expected + " or none";
}

}  // namespace

std::span<const ReadsLine> reads_lines() { return lines; }

std::optional<std::string> unread_part(const Node& node) {
    const ReadsLine* line = find_line(node);
    const OpSchema* schema =
        line ? find_schema(node.domain, node.op_type,
                           node.version > 0 || node.domain.empty() ? node.version : 1)
             : nullptr;
    if (!schema) return std::nullopt;
    if (schema->since_version > line->newest)
        return node.op_type + " changed at opset " + std::to_string(schema->since_version) +
               ", its kernels implement it as of opset " + std::to_string(line->newest);
    const auto describe = [](std::size_t i, const SchemaParameter& parameter) {
        return std::to_string(i) + " (" + parameter.name + ")";
    };
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const SchemaParameter* parameter = schema->input(i);
        if (!node.inputs[i] || !parameter || entry_of(line->inputs, parameter->name) ||
            entry_of(line->without_effect, parameter->name))
            continue;
        return "input " + describe(i, *parameter) + " is given, but no kernel of " + node.op_type +
               " reads it";
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const SchemaParameter* parameter = schema->output(i);
        if (!node.outputs[i] || !parameter || entry_of(line->outputs, parameter->name)) continue;
        return "output " + describe(i, *parameter) + " is wanted, but no kernel of " +
               node.op_type + " computes it";
    }
    for (const Attribute& attribute : node.attributes)
        if (auto reason = unread_attribute(*line, *schema, attribute)) return reason;
    return std::nullopt;
}

}  // namespace lapidary
