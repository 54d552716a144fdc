// SPDX-License-Identifier: Apache-2.0
// Element types and shapes of a node's inputs and outputs, from the types of the graph or as a run
// recorded them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

struct TensorSize {
    DType dtype = DType::undefined;
    std::vector<std::int64_t> shape;

    double elements() const;
    double bytes() const;
    /// Counted from the end where negative; 1 beyond the rank.
    double dim(std::ptrdiff_t axis) const;
};

/// Parallel to the node's inputs and outputs; nothing: omitted.
struct NodeSizes {
    std::vector<std::optional<TensorSize>> inputs, outputs;

    const TensorSize* input(std::size_t index) const {
        return index < inputs.size() && inputs[index] ? &*inputs[index] : nullptr;
    }
    const TensorSize* output(std::size_t index) const {
        return index < outputs.size() && outputs[index] ? &*outputs[index] : nullptr;
    }
    double bytes_written() const;
    double elements_read() const;
    double elements_written() const;
};

/// Nothing when a value is no tensor or a dimension is not known.
std::optional<NodeSizes> sizes_of(const Graph& graph, const Node& node);
/// From SpanText::shapes, "f32[1,3] x f32[3,4] -> f32[1,4]", which has no entries for omitted
/// values. Nothing: they do not fit the node.
std::optional<NodeSizes> recorded_sizes(const Node& node, std::string_view shapes);

}  // namespace lapidary
