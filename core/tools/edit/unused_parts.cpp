// SPDX-License-Identifier: Apache-2.0
#include "edit/unused_parts.h"

#include <algorithm>

namespace lapidary {

void erase_unused_constants(GraphEdit& edit, const std::vector<ValueId>& values) {
    const Graph& graph = edit.graph();
    for (const ValueId id : values)
        if (id && graph.is_alive(id) && graph.value(id).is_constant() &&
            graph.value(id).is_unused())
            edit.erase_value(id);
}

std::set<std::string> names_of_unused_constants(const Graph& graph) {
    std::set<std::string> names;
    for (const ValueId id : graph.values())
        if (graph.value(id).is_constant() && graph.value(id).is_unused())
            names.insert(graph.value(id).name);
    return names;
}

void erase_newly_unused_constants(GraphEdit& edit, const std::set<std::string>& before) {
    std::vector<ValueId> unused;
    for (const std::string& name : names_of_unused_constants(edit.graph()))
        if (!before.contains(name)) unused.push_back(edit.graph().find_value(name));
    erase_unused_constants(edit, unused);
}

std::size_t erase_unused_producers(GraphEdit& edit, std::vector<ValueId> values) {
    const Graph& graph = edit.graph();
    std::size_t erased = 0;
    while (!values.empty()) {
        const ValueId id = values.back();
        values.pop_back();
        if (!id || !graph.is_alive(id) || !graph.value(id).is_unused()) continue;
        const NodeId producer = graph.value(id).producer;
        if (!producer) {
            erase_unused_constants(edit, {id});
            continue;
        }
        const Node& node = graph.node(producer);
        if (!std::ranges::all_of(node.outputs, [&](ValueId output) {
                return !output || graph.value(output).is_unused();
            }))
            continue;
        std::ranges::copy(node.inputs, std::back_inserter(values));
        std::ranges::copy(node.captures, std::back_inserter(values));
        edit.erase(producer);
        ++erased;
    }
    return erased;
}

}  // namespace lapidary
