// SPDX-License-Identifier: Apache-2.0
// What a graph does first to an input: it says what values the input was trained on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

/// The first of: a BatchNormalization, alone or behind one product; Add, Sub, Mul and Div with
/// constants; a product (Conv, Gemm, MatMul with a weight).
struct FirstNormalization {
    enum class Kind : std::uint8_t { none, batch, affine, product };
    Kind kind = Kind::none;
    std::string node;                    // Node::describe()
    std::vector<NodeId> nodes;           // up to it
    std::string value;                   // batch: what it normalizes; product: what it gives
    std::vector<double> mean, variance;  // batch: by channel, as trained
    double scale = 1, offset = 0;        // affine: value * scale + offset, means over the channels
};

/// Of the graph's input of that name. Nodes that move values alone (Transpose, Cast and the like)
/// are passed over.
FirstNormalization first_normalization(const Graph& graph, const std::string& input);

}  // namespace lapidary
