// SPDX-License-Identifier: Apache-2.0
// Graphs as bytes, for model_bytes.h: nodes and values by id, with those that are as in another
// graph left out.
#pragma once

#include <lapidary/base/progress.h>
#include <lapidary/graph/graph.h>

#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/weight_bytes.h"

namespace lapidary::app {

/// Writes the graph as what differs from `base`, which may be null.
void write_graph(ByteWriter& out, const Graph& graph, const Graph* base,
                 const WeightWriter& weights);
/// Reads it. `base` is the reader's copy of the writer's. Throws io_failure, cancelled.
Graph read_graph(ByteReader& in, const Graph* base, WeightReader& weights,
                 const CancelToken& cancel);

/// A graph that may be absent or be the very `base`.
void write_graph_pointer(ByteWriter& out, const GraphPtr& graph, const GraphPtr& base,
                         const WeightWriter& weights);
GraphPtr read_graph_pointer(ByteReader& in, const GraphPtr& base, WeightReader& weights,
                            const CancelToken& cancel);

/// Attributes of a node, or defaults of a function's. `base` has those of the same node in another
/// graph.
void write_attributes(ByteWriter& out, const std::vector<Attribute>& attributes,
                      const std::vector<Attribute>& base, const WeightWriter& weights);
std::vector<Attribute> read_attributes(ByteReader& in, const std::vector<Attribute>& base,
                                       WeightReader& weights, const CancelToken& cancel);

void write_pairs(ByteWriter& out, const StringPairs& pairs);
StringPairs read_pairs(ByteReader& in);

}  // namespace lapidary::app
