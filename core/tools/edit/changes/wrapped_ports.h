// SPDX-License-Identifier: Apache-2.0
// Puts nodes before an input or behind an output of a model, whose name stays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>

#include "edit/changes/port_changes.h"

namespace lapidary {

/// An input or output that is a tensor of known rank, one or more. Throws invalid_input.
ValueId find_tensor_port(const Graph& graph, const std::string& name, bool output);

/// Throws invalid_input where the model's opset is older than `what` needs.
void require_opset(std::int64_t opset, std::int64_t least, const std::string& what);

/// What reads the output inside stays; the outputs of the model at its place become `values`, the
/// first of which gets its name.
void replace_output(GraphEdit& edit, ValueId id, const std::vector<ValueId>& values);

/// Puts an input of another type before an input. What read it reads what `wrap` makes of the new
/// one; the new one has its name and its place.
template <typename Wrap>
void wrap_input(GraphEdit& edit, ValueId id, Type type, const Wrap& wrap) {
    const Graph& graph = edit.graph();
    const std::string name = graph.value(id).name;
    if (graph.value(id).constant)
        fail_input("input " + quote(name) + " has a default, which would not fit any more");
    std::vector<std::string> order;
    for (const ValueId input : graph.inputs()) order.push_back(graph.value(input).name);
    const ValueId input = edit.add_input(edit.fresh_name(name), std::move(type));
    const ValueId made = wrap(input);
    edit.replace_uses(id, made);
    edit.remove_input(id);
    edit.rename(input, name);
    if (order.back() != name) reorder_ports(edit, order, false);
}

}  // namespace lapidary
