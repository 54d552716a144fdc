// SPDX-License-Identifier: Apache-2.0
#include "graph/node_text.h"

#include <algorithm>

#include <fmt/format.h>

#include <lapidary/base/quantity_text.h>

namespace lapidary {
namespace {

constexpr std::size_t most_items = 16, most_lines = 24, longest_name = 160, longest_value = 120;

std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(float value) { return fmt::format("{}", value); }
std::string text_of(const std::string& value) {
    return '"' + shortened(value, longest_value) + '"';
}
std::string text_of(const Tensor& value) {
    std::string text = fmt::format("{}{}", name_of(value.dtype()), to_string(value.shape()));
    return text;
}
std::string text_of(const SparseTensor& value) { return "sparse " + to_string(value.shape); }
std::string text_of(const GraphPtr& value) {
    return value ? "graph of " + count_text(static_cast<std::int64_t>(value->node_count()), "node")
                 : "no graph";
}
std::string text_of(const Type& value) { return to_string(value); }
std::string text_of(const AttributeReference& value) {
    return "the caller's " + shortened(value.name, longest_name);
}

template <typename T>
std::string text_of(const std::vector<T>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(values.size(), most_items); ++i)
        text += (i ? ", " : "") + text_of(values[i]);
    if (values.size() > most_items)
        text += fmt::format(", ... {} more", values.size() - most_items);
    return text + ']';
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    std::size_t end = most > 3 ? most - 3 : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string attributes_text(const Node& node) {
    std::string text;
    for (std::size_t i = 0; i < std::min(node.attributes.size(), most_lines); ++i) {
        const Attribute& attribute = node.attributes[i];
        text += (i ? "\n" : "") + shortened(attribute.name, longest_name) + " = " +
                std::visit([](const auto& value) { return text_of(value); }, attribute.value);
    }
    if (node.attributes.size() > most_lines)
        text += fmt::format("\n... {} more", node.attributes.size() - most_lines);
    return text;
}

std::string values_text(const Graph& graph, const std::vector<ValueId>& values) {
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), most_lines); ++i) {
        if (i) text += '\n';
        if (!values[i]) {
            text += "(left out)";
            continue;
        }
        const Value& value = graph.value(values[i]);
        text += shortened(value.name, longest_name) + ": " +
                shortened(to_string(value.type), longest_value);
        if (value.is_constant()) text += " constant";
    }
    if (values.size() > most_lines)
        text += fmt::format("\n... {} more", values.size() - most_lines);
    return text;
}

std::string without_domain(std::string_view op) {
    const std::size_t colons = op.rfind("::");
    return std::string(colons == std::string_view::npos ? op : op.substr(colons + 2));
}

}  // namespace lapidary
