// SPDX-License-Identifier: Apache-2.0
// Weights of products and tables as rows of GGUF.
#pragma once

#include <lapidary/graph/graph.h>

#include "generation/gguf_file.h"

namespace lapidary {

/// The weight of a MatMul or MatMulNBits, a row for each output; of a Gather or
/// GatherBlockQuantized, a row for each index. Floats stay as they are, blocks of 32 too: 4 bits
/// become q4_0, with zero points q4_1, 8 bits q8_0, their scales float16. `graph` has to stay.
/// Throws not_supported with the node and why it has no such form. The name is left to the caller.
GgufTensor gguf_weight(const Graph& graph, const Node& node);

/// A constant of rank 1 as float32. Throws not_supported.
GgufTensor gguf_vector(const Graph& graph, ValueId id, std::string name);

/// Rows [begin, begin + count) of it.
GgufTensor rows_of(GgufTensor tensor, std::int64_t begin, std::int64_t count);

/// Rows of each head, whose halves are rotated together, in the order in which neighbours are.
GgufTensor with_neighbours_rotated(GgufTensor tensor, std::int64_t head_size);

}  // namespace lapidary
