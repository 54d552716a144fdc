// SPDX-License-Identifier: Apache-2.0
// Expands operators that ONNX does not have into operators of ONNX. Each is one file and one line
// in lowering.inc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

/// Replaces one node, or declines with a reason before it edits anything. Not concerned: the node
/// can stay as it is. `node` is a copy.
using LowerNode = Outcome (*)(const Node& node, PassContext& context);

struct LoweringResult {
    std::vector<AppliedRewrite> rewrites;
    // nodes that stayed, with the reason; nothing for operators that no lowering knows
    std::vector<NearMiss> refused;
};

/// Lowers every node of the main graph and of subgraphs that it can.
LoweringResult lower_contrib(Model& model, const Progress& progress = {});
/// Which nodes a lowering is meant for.
using LoweringChoice = std::function<bool(const Graph& graph, const Node& node)>;
/// Lowers the chosen nodes that it can.
LoweringResult lower_contrib(Model& model, const LoweringChoice& is_meant,
                             const Progress& progress = {});
/// Lowers only operators that ONNX Runtime has in the domain of ONNX although the opset has them
/// not: LayerNormalization before opset 17 and SimplifiedLayerNormalization.
LoweringResult lower_unofficial(Model& model, const Progress& progress = {});
/// Makes ids of embeddings that may be negative count from the front, as ONNX Runtime's
/// EmbedLayerNormalization needs them where it replaces Gathers. Not for such nodes that `source`,
/// the model before optimization, has too. Returns the changes.
std::vector<AppliedRewrite> count_ids_from_front(Model& model, const Model& source,
                                                 const Progress& progress = {});
/// "domain::Op" of every operator that has a lowering.
std::vector<std::string> lowered_operators();

}  // namespace lapidary
