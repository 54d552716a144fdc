// SPDX-License-Identifier: Apache-2.0
// Chains whose results are stored in 16 bits and keep what is finite finite, as lapidary::MultiCast
// does: masks have constants that these types do not reach, and rows that are masked throughout
// need numbers.
#pragma once

#include <optional>

#include <lapidary/graph/graph_edit.h>

#include "kernels/elementwise/chain_program.h"

namespace lapidary {

/// lapidary::ElementwiseChain
bool is_chain(const Node& node);

/// A constant of it is finite and would be infinite in float16 or bfloat16.
bool has_large_constants(const ChainProgram& program, DType half);

/// The chain with a last step that puts the type's largest number in place of finite ones beyond
/// it. Nothing where a kernel has no room for another step.
std::optional<ChainProgram> bounded_chain(ChainProgram program, DType half);

/// The node becomes that; false where there is no room.
bool bound_chain(GraphEdit& edit, NodeId chain, DType half);

}  // namespace lapidary
