// SPDX-License-Identifier: Apache-2.0
// Chains of elementwise operators whose results are stored in 16 bits. Finite results must stay
// finite, as with lapidary::MultiCast: masks have constants beyond the range of these types, and
// completely masked rows must not become NaN.
#pragma once

#include <optional>

#include <lapidary/graph/graph_edit.h>

#include "kernels/elementwise/chain_program.h"

namespace lapidary {

/// lapidary::ElementwiseChain
bool is_chain(const Node& node);

/// True if one of its constants is finite but infinite in float16 or bfloat16.
bool has_large_constants(const ChainProgram& program, DType half);

/// The chain with a last step that replaces finite numbers beyond the type's range by its largest.
/// Nothing: the kernel has no room for another step.
std::optional<ChainProgram> bounded_chain(ChainProgram program, DType half);

/// Changes the node to its bounded_chain(). False: there is no room.
bool bound_chain(GraphEdit& edit, NodeId chain, DType half);

}  // namespace lapidary
