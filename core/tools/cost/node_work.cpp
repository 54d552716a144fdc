// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/cost/cost_rollback.h>

#include "cost/operator_work.h"

namespace lapidary {

std::optional<double> estimated_work(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const auto sizes = sizes_of(graph, node);
    if (!sizes) return std::nullopt;
    if (const auto product = product_operations(node, *sizes)) return product->count;
    if (picks_elements(node)) return sizes->elements_written();
    return std::max(sizes->elements_read(), sizes->elements_written());
}

}  // namespace lapidary
