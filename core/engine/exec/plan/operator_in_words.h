// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// What a step computes, for display: "MatMul + Add + Gelu (fused)" where several nodes run in one
/// kernel, else the operator.
std::string operator_in_words(const Node& node);

}  // namespace lapidary
