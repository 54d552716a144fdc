// SPDX-License-Identifier: Apache-2.0
#include "cost/node_sizes.h"

#include <charconv>

namespace lapidary {
namespace {

using Sizes = std::vector<std::optional<TensorSize>>;

double sum(const Sizes& sizes, double (TensorSize::*of)() const) {
    double total = 0;
    for (const auto& size : sizes)
        if (size) total += (*size.*of)();
    return total;
}

bool add_sizes(const Graph& graph, const std::vector<ValueId>& ids, Sizes& sizes) {
    for (ValueId id : ids) {
        auto& size = sizes.emplace_back();
        if (!id) continue;
        const Value& value = graph.value(id);
        if (value.constant) {
            const Shape& shape = value.constant->shape();
            size = TensorSize{value.constant->dtype(), {shape.begin(), shape.end()}};
        } else if (value.type.is_tensor() && value.type.is_static()) {
            size = TensorSize{value.type.dtype, value.type.static_shape()};
        } else {
            return false;
        }
    }
    return true;
}

std::optional<TensorSize> parse_size(std::string_view text) {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos || text.back() != ']') return std::nullopt;
    const auto dtype = dtype_from_name(text.substr(0, open));
    if (!dtype) return std::nullopt;
    TensorSize size{*dtype, {}};
    const char *at = text.data() + open + 1, *end = text.data() + text.size() - 1;
    while (at < end) {
        const auto [after, error] = std::from_chars(at, end, size.shape.emplace_back());
        if (error != std::errc() || size.shape.back() < 0 || (after != end && *after != ','))
            return std::nullopt;
        at = after + (after != end);
    }
    return size;
}

/// Sizes in the order of the text become those of the values that are there; false where their
/// numbers differ.
bool place(std::string_view text, const std::vector<ValueId>& ids, Sizes& sizes) {
    sizes.resize(ids.size());
    std::size_t next = 0;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        const std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        if (word.empty() || word == "x") continue;
        while (next < ids.size() && !ids[next]) ++next;
        const auto size = parse_size(word);
        if (next == ids.size() || !size) return false;
        sizes[next++] = size;
    }
    while (next < ids.size() && !ids[next]) ++next;
    return next == ids.size();
}

}  // namespace

double TensorSize::elements() const {
    double count = 1;
    for (std::int64_t dim : shape) count *= static_cast<double>(dim);
    return count;
}

double TensorSize::bytes() const { return elements() * static_cast<double>(bit_width(dtype)) / 8; }

double TensorSize::dim(std::ptrdiff_t axis) const {
    if (axis < 0) axis += static_cast<std::ptrdiff_t>(shape.size());
    return axis >= 0 && axis < static_cast<std::ptrdiff_t>(shape.size())
               ? static_cast<double>(shape[static_cast<std::size_t>(axis)])
               : 1;
}

double NodeSizes::bytes_written() const { return sum(outputs, &TensorSize::bytes); }
double NodeSizes::elements_read() const { return sum(inputs, &TensorSize::elements); }
double NodeSizes::elements_written() const { return sum(outputs, &TensorSize::elements); }

std::optional<NodeSizes> sizes_of(const Graph& graph, const Node& node) {
    NodeSizes sizes;
    if (!add_sizes(graph, node.inputs, sizes.inputs) ||
        !add_sizes(graph, node.outputs, sizes.outputs))
        return std::nullopt;
    return sizes;
}

std::optional<NodeSizes> recorded_sizes(const Node& node, std::string_view shapes) {
    const std::size_t arrow = shapes.find("->");
    NodeSizes sizes;
    if (arrow == std::string_view::npos ||
        !place(shapes.substr(0, arrow), node.inputs, sizes.inputs) ||
        !place(shapes.substr(arrow + 2), node.outputs, sizes.outputs))
        return std::nullopt;
    return sizes;
}

}  // namespace lapidary
