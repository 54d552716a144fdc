// SPDX-License-Identifier: Apache-2.0
// Products whose weights are large enough to be held in fewer bits.
#pragma once

#include <cstddef>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// The float32 weights that are large enough: that of the node, which is in the main graph, or
/// those of products in its bodies. Whether a conversion takes them is another question. Empty:
/// there are none.
std::vector<Tensor> large_weights(const Graph& graph, const Node& node);

/// The large float32 weight of a node of the main graph; null: it has none.
const Value* large_weight(const Graph& graph, const Node& node);

/// What is done with products that have a large weight.
class WeightConversion {
public:
    virtual ~WeightConversion() = default;
    /// Makes the node read something else in place of `weight`, the constant that its input 1 is,
    /// in the node's graph or in one around it. False: the node stays as it is.
    virtual bool convert(GraphEdit& edit, NodeId product, const Value& weight) = 0;
};

/// Converts products of the main graph, and of bodies of control flow, of which copies are made.
/// Weights that nothing reads any more are erased. Returns how many products were converted.
/// Throws cancelled, and what the conversion throws.
std::size_t convert_large_weights(Model& model, WeightConversion& how, const CancelToken& cancel);

}  // namespace lapidary
