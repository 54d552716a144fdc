// SPDX-License-Identifier: Apache-2.0
// Inference beside infer_types(): of one node while a pass edits, and of what small integer tensors
// hold.
#pragma once

#include <unordered_map>
#include <vector>

#include <lapidary/ops/infer.h>

#include "ops/inference/shape_rule.h"

namespace lapidary {

/// Types of a node's outputs from those of its inputs (Kind::unknown where not known) and the
/// inputs that are constants (null elsewhere); both one per node input. Dimensions that would need
/// a new name stay unknown. Nodes with subgraphs, unknown operators and calls of functions give
/// unknown types. Throws invalid_model when the node cannot be valid.
std::vector<Type> infer_node_types(const Node& node, const std::vector<Type>& input_types,
                                   const std::vector<const Tensor*>& constants);

/// Contents of small integer tensors of the main graph that are known, at least partly in symbols,
/// without being constants: Shape results and what is computed from them. By ValueId::index.
using KnownElements = std::unordered_map<std::uint32_t, std::vector<Dim>>;

/// infer_types() that also hands out what it learned about shape arithmetic.
void infer_types(Model& model, const InferOptions& options, const Progress& progress,
                 KnownElements& elements);

}  // namespace lapidary
