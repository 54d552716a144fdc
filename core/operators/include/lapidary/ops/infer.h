// SPDX-License-Identifier: Apache-2.0
// Type and shape inference with symbolic dimensions and value propagation through shape arithmetic.
#pragma once

#include <map>
#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Sizes to assume in addition to those that the model declares.
struct InferOptions {
    /// Sizes for symbolic input dimensions by name (ORT: free dimension override).
    std::map<std::string, std::int64_t> dimensions;
    /// Concrete input shapes by graph input name; override declarations.
    std::map<std::string, std::vector<std::int64_t>> input_shapes;
};

/// Fills the type of every value it can, subgraphs and function bodies included. Unnamed dynamic
/// input dimensions get names ("<input>_dim_<k>"). Dimensions computed by arithmetic carry
/// canonical expressions
/// ("2*seq + 1"). A declared type that contradicts the inferred one: inferred wins, with a warning
/// in model.warnings. Throws invalid_model naming node, expected and found when a node cannot be
/// valid (mismatched MatMul, stride 0, axis out of range ...), whose describe() is where()'s first;
/// types found until then stay.
void infer_types(Model& model, const InferOptions& options = {}, const Progress& progress = {});

}  // namespace lapidary
