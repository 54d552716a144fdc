// SPDX-License-Identifier: Apache-2.0
#include "inspect/value_summary.h"

#include <utility>

#include <lapidary/base/error.h>

#include "graph/lift_constants.h"
#include "inspect/node_sequence.h"

namespace lapidary {
namespace {

bool has_numbers(const Tensor& tensor) {
    return tensor && tensor.size() > 0 && tensor.dtype() != DType::string &&
           tensor.dtype() != DType::complex64 && tensor.dtype() != DType::complex128;
}

}  // namespace

std::string_view name_of(ValueRole role) {
    switch (role) {
    case ValueRole::input: return "input";
    case ValueRole::constant: return "constant";
    case ValueRole::output: return "output";
    case ValueRole::inner: break;
    }
    return "inner";
}

std::string InspectedValue::full_name() const {
    std::string text = path + name;
    for (std::size_t i = 0; i < iterations.size(); ++i)
        text += (i == 0 ? "[" : ",") + std::to_string(iterations[i]);
    return iterations.empty() ? text : text + "]";
}

void ValueSummaries::add_tensor(InspectedValue place, const Tensor& tensor) {
    if (inspection_.values.size() >= options_.most_values) {
        ++inspection_.left_out;
        return;
    }
    place.type = RuntimeValue(tensor).describe();
    place.dtype = tensor.dtype();
    place.shape = tensor.shape();
    if (has_numbers(tensor)) place.numbers = statistics_of(tensor, options_.bins, cancel_);
    try {
        if (options_.part_of) {
            if (const auto part = options_.part_of(place)) place.kept = slice_of(tensor, *part);
        } else if (options_.slice) place.kept = slice_of(tensor, *options_.slice);
        else if (options_.keeps) place.kept = tensor.clone();
    } catch (Error& error) { throw error.at("value " + quote(place.full_name())); }
    inspection_.values.push_back(std::move(place));
}

void ValueSummaries::add(InspectedValue place, const RuntimeValue& value) {
    cancel_.throw_if_cancelled();
    if (value.is_tensor()) return add_tensor(std::move(place), value.tensor());
    if (value.is_map()) {
        place.name += ".values";
        return add_tensor(std::move(place), value.map().values);
    }
    if (value.is_sequence() && !value.sequence().items.empty()) {
        const auto& items = value.sequence().items;
        for (std::size_t i = 0; i < items.size(); ++i) {
            InspectedValue item = place;
            item.name += "[" + std::to_string(i) + "]";
            add(std::move(item), items[i]);
        }
        return;
    }
    if (inspection_.values.size() >= options_.most_values) {
        ++inspection_.left_out;
        return;
    }
    place.type = value.describe();
    inspection_.values.push_back(std::move(place));
}

InspectedValue place_of(const Graph& graph, ValueId id) {
    const Value& value = graph.value(id);
    InspectedValue place;
    place.name = value.name;
    place.role = value.kind == ValueKind::input         ? ValueRole::input
                 : value.kind == ValueKind::initializer ? ValueRole::constant
                 : value.output_uses > 0                ? ValueRole::output
                                                        : ValueRole::inner;
    if (const Node* const node = writer_of(graph, id)) {
        place.node = node->name;
        place.op = node->qualified_op();
        place.source = source_of(*node);
    }
    return place;
}

RuntimeValue constant_value(const Graph& graph, std::string_view name) {
    const ValueId id = graph.find_value(name);
    if (!id) return {};
    const Value& value = graph.value(id);
    if (value.kind == ValueKind::initializer && value.constant) return *value.constant;
    if (value.kind != ValueKind::node_output) return {};
    const auto held = constant_of(graph.node(value.producer));
    return held ? RuntimeValue(*held) : RuntimeValue();
}

}  // namespace lapidary
