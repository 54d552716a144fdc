// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/quantizing_loss.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace lapidary::views {
namespace {

using LossByName = std::unordered_map<std::string, double>;

const double* lossOf(const Graph& graph, const Node& node, const LossByName& losses) {
    const auto at = [&](const std::string& name) {
        const auto found = losses.find(name);
        return found == losses.end() ? nullptr : &found->second;
    };
    if (!node.name.empty()) return at(node.name);
    const auto named = std::ranges::find_if(node.outputs, [](ValueId v) { return bool(v); });
    return named == node.outputs.end() ? nullptr : at(graph.value(*named).name);
}

}  // namespace

std::unordered_map<NodeId, double> quantizingLoss(const app::QuantizeRecord* record,
                                                  const Model& opened, const Model& shown) {
    std::unordered_map<NodeId, double> out;
    if (!record || record->layers.empty()) return out;
    LossByName losses;
    for (const LayerAccuracy& layer : record->layers) {
        const double loss = std::min(1.0, std::pow(10.0, -layer.sqnr_db / 20));
        double& known = losses[layer.name];
        known = std::max(known, std::isnan(loss) ? 0 : loss);
    }
    for (const NodeId id : shown.graph.nodes()) {
        const Node& node = shown.graph.node(id);
        if (const double* loss = lossOf(shown.graph, node, losses)) {
            out[id] = *loss;
            continue;
        }
        for (const NodeId origin : node.origins) {
            if (!opened.graph.is_alive(origin)) continue;
            const double* loss = lossOf(opened.graph, opened.graph.node(origin), losses);
            if (loss) out[id] = std::max(out[id], *loss);
        }
    }
    return out;
}

}  // namespace lapidary::views
