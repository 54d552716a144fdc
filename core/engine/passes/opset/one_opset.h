// SPDX-License-Identifier: Apache-2.0
// Functions import opsets of their own. In a file all other nodes are of the model's opset.
#pragma once

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Brings the ai.onnx nodes of the main graph and its bodies whose form is that of another opset to
/// the model's opset, as convert_opset() does. They come from functions that were expanded;
/// functions that the model still has stay as they are. Where one of them cannot be converted, all
/// stay as they are: they run at their own versions, and nodes_of_other_forms() says why they
/// cannot be written. Nothing else changes but Constant nodes, which become constants of the graph
/// where nodes are converted. Throws cancelled.
void convert_to_one_opset(Model& model, const Progress& progress = {});

}  // namespace lapidary
