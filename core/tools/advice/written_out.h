// SPDX-License-Identifier: Apache-2.0
// Operators that a graph has written out in smaller ones: attention, normalization, GELU. Found by
// their core alone, so that spellings that no pass fuses are found too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

enum class WrittenOut : std::uint8_t { attention, layer_normalization, rms_normalization, gelu };
std::string_view name_of(WrittenOut kind);  // the ONNX operator: "LayerNormalization"
/// The first opset whose operator engines fuse to; 0: none that matters.
std::int64_t opset_of(WrittenOut kind);
/// Whether a pass of that name fuses the operator.
bool fuses(std::string_view pass, WrittenOut kind);

struct WrittenOutOperator {
    WrittenOut kind = WrittenOut::attention;
    NodeId root;                // Softmax, Sqrt, Erf or Tanh
    std::vector<NodeId> nodes;  // of the core, with the root
};

/// In the order of the graph's nodes.
std::vector<WrittenOutOperator> operators_written_out(const Graph& graph);

}  // namespace lapidary
