// SPDX-License-Identifier: Apache-2.0
// Weights and parameters that a fusion may rely on: initializers, which no caller can replace.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The value of an initializer; null for everything else, an absent value too.
inline const Tensor* constant_of(const Graph& graph, ValueId id) {
    if (!id) return nullptr;
    const Value& v = graph.value(id);
    return v.kind == ValueKind::initializer && v.constant ? &*v.constant : nullptr;
}

/// The same of an input of a node, which may have fewer.
inline const Tensor* constant_input(const Graph& graph, const Node& node, std::size_t input) {
    return input < node.inputs.size() ? constant_of(graph, node.inputs[input]) : nullptr;
}

}  // namespace lapidary
