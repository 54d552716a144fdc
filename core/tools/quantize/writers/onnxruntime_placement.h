// SPDX-License-Identifier: Apache-2.0
// What quantize_static of ONNX Runtime 1.32 quantizes (format QDQ, default options), determined
// from operator traits.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/quantize/quantize.h>

namespace lapidary {

struct OnnxRuntimePlacement {
    struct Mark {
        // true: a constant stored as weights are; false: as activations are
        bool is_weight = false;
        std::optional<std::int64_t> axis;  // of a weight's channels
        // the value whose scale and zero point it shares; empty: it has separate ones
        ValueId parameters;
    };
    struct Bias {
        NodeId node;
        std::size_t input = 0;  // of the node
        ValueId data, weight;   // their scales determine the bias's scale
    };
    // values that get a QDQ pair, and constants that are stored as integers
    std::map<ValueId, Mark> marks;
    std::vector<Bias> biases;      // in the order of the nodes
    std::vector<NodeId> absorbed;  // Relu and Clip that are merged into the rounding after them
    /// The value whose observed range a value takes; empty: always [0, 1].
    std::map<ValueId, std::optional<ValueId>> ranges;
    std::map<NodeId, std::string> reasons;  // for nodes without any mark
};

OnnxRuntimePlacement place_as_onnxruntime(const Graph& graph, const QuantizeOptions& options);

std::vector<WatchedValue> values_to_watch(const Graph& graph,
                                          const OnnxRuntimePlacement& placement);

}  // namespace lapidary
