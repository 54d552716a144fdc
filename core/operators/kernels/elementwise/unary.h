// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <lapidary/graph/graph.h>

#include "kernels/kernel.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {

/// A node as one function of each element of its input 0.
struct UnaryOperator {
    UnaryKind kind = UnaryKind::identity;
    float alpha = 0, beta = 0;
    bool is_costly = false;  // a transcendental function
    KernelFunction reference = nullptr;
};

/// Empty, with the reason, when the node is no such operator. Bounds of Clip must be constants.
std::optional<UnaryOperator> unary_operator(const Graph& graph, const Node& node,
                                            std::string& reason);

}  // namespace lapidary
