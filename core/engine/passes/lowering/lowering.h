// SPDX-License-Identifier: Apache-2.0
// Operators that ONNX does not have, written out in ones that it has. One operator per file, one
// line in lowering.inc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary {

/// Replaces one node; declines, before it edits anything, with the reason (without one: the node is
/// fine as it is). `node` is a copy.
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
/// Lowers the nodes chosen, of those that it can.
LoweringResult lower_contrib(Model& model, const LoweringChoice& is_meant,
                             const Progress& progress = {});
/// Lowers only what ONNX Runtime keeps under the ONNX domain though no opset has it:
/// LayerNormalization before opset 17 and SimplifiedLayerNormalization.
LoweringResult lower_unofficial(Model& model, const Progress& progress = {});
/// Ids of embeddings that may be below zero are counted from the front, as ONNX Runtime's
/// EmbedLayerNormalization needs them where it stands in for Gathers. Those that `source`, which
/// the model was made of, has itself stay as they are. Returns what it did.
std::vector<AppliedRewrite> count_ids_from_front(Model& model, const Model& source,
                                                 const Progress& progress = {});
/// "domain::Op" of every operator that has a lowering.
std::vector<std::string> lowered_operators();

}  // namespace lapidary
