// SPDX-License-Identifier: Apache-2.0
// The residual stream of a decoder: the values that its layers add to, and all that writes into
// them and reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/graph.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// A product that reads the stream, as it is or behind a normalization by the root of its mean
/// square, times a constant gain [width].
struct StreamReader {
    WeightedProduct product;  // inputs of its weight are channels of the stream
    ValueId gain;             // empty: none
};

/// Values of one width that belong together, because sums join them. Nothing else than what is
/// listed here writes or reads them, but for mean squares, which are the same in any orthonormal
/// base.
struct ResidualStream {
    std::int64_t width = 0;                // channels, the last axis of its values
    std::vector<ValueId> tables;           // [rows, width], whose rows are taken in
    std::vector<WeightedProduct> writers;  // outputs of their weights are channels of the stream
    std::vector<ValueId> vectors;          // constants [..., width] that are added
    std::vector<StreamReader> readers;
    std::vector<NodeId>
        gain_products;  // Mul by a gain, of which nothing is left if readers take it
    std::vector<std::pair<NodeId, std::size_t>> gain_inputs;  // gains of normalizations
};

/// The streams of the graph. Where a normalization reads one whose base cannot be changed, a
/// sentence in `declined` says why.
std::vector<ResidualStream> residual_streams(const Graph& graph,
                                             std::vector<std::string>& declined);

}  // namespace lapidary
