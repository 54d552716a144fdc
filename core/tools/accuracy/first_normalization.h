// SPDX-License-Identifier: Apache-2.0
// The first operations of a graph on an input, which show what values it was trained on.
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
    std::string value;                   // batch: its input; product: its result
    std::vector<double> mean, variance;  // batch: by channel, as trained
    double scale = 1, offset = 0;        // affine: value * scale + offset, means over the channels
};

/// For the graph's input of that name. Skips nodes that only move values (Transpose, Cast and the
/// like).
FirstNormalization first_normalization(const Graph& graph, const std::string& input);

}  // namespace lapidary
