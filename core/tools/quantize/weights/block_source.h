// SPDX-License-Identifier: Apache-2.0
// Which constants mode weights stores in blocks.
#pragma once

#include <optional>
#include <string>

#include <lapidary/quantize/quantize.h>

#include "quantize/quantized_operator.h"

namespace lapidary {

/// A matrix that a node multiplies with, or takes rows of.
struct BlockSource {
    ValueId constant;
    std::int64_t axis = 0;                   // of the constant, along which blocks lie
    std::optional<WeightedProduct> product;  // nothing: a table, whose rows are taken
};

/// Nothing where the node has none, or it does not fill a block of so many rows; `reason` then says
/// why.
std::optional<BlockSource> block_source(const Graph& graph, const Node& node,
                                        const QuantizeOptions& options, std::int64_t block,
                                        std::string& reason);

/// The constant as [K, N], with blocks along K.
Tensor matrix_in_blocks(const Graph& graph, const BlockSource& source);

}  // namespace lapidary
