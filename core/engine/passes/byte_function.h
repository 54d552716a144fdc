// SPDX-License-Identifier: Apache-2.0
// Parts of a graph that map bytes to bytes, each element by itself: y =
// QuantizeLinear(f(DequantizeLinear(x))), however many operators f is made of, and chains of
// QLinear operators. There are only 256 values of x.
#pragma once

#include <optional>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

struct ByteFunction {
    ValueId from;  // u8 or i8, with one scale and zero point
    // in topological order; the last one writes the resulting bytes
    std::vector<NodeId> nodes;
};

/// The longest one that ends in output 0 of `last`; nothing: there is none. All other operands are
/// constants of one element. Only these nodes read the values between them, except that the result
/// of a DequantizeLinear of `from` may have other readers too.
std::optional<ByteFunction> byte_function_of(const Graph& graph, NodeId last);

}  // namespace lapidary
