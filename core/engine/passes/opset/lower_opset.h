// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Gives the nodes of a domain ("" or "ai.onnx.ml") the version of an older opset. Each must mean
/// the same there: the operator exists, its form and the meaning of its attributes did not change
/// in between, and its types are allowed. Newer attributes are removed if they have their default.
/// Model-local functions are expanded first. Throws not_supported naming nodes and reasons.
void lower_opset(Model& model, const std::string& domain, std::int64_t opset,
                 const Progress& progress = {});

/// Why a node whose attributes mean the same in the older opset cannot be written there: the
/// operator does not exist, or a type, an attribute, an input or output is not allowed. Empty: it
/// can.
std::string older_form_problem(std::int64_t opset, const Graph& graph, Node node);
/// Gives the node, a copy, the version of the older opset; removes newer attributes that have
/// their default.
void take_older_form(GraphEdit& edit, const Node& node, std::int64_t opset);

}  // namespace lapidary
