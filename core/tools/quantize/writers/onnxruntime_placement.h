// SPDX-License-Identifier: Apache-2.0
// What quantize_static of ONNX Runtime 1.32 quantizes (format QDQ, its default options), from
// operator traits.
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
        // a constant stored as weights are, else as activations are
        bool is_weight = false;
        std::optional<std::int64_t> axis;  // of a weight's channels
        // the value whose scale and zero point it takes; empty: its own
        ValueId parameters;
    };
    struct Bias {
        NodeId node;
        std::size_t input = 0;  // of the node
        ValueId data, weight;   // whose scales it takes
    };
    std::map<ValueId, Mark> marks;  // values that get a pair, constants that are stored in integers
    std::vector<Bias> biases;       // in the order of the nodes
    std::vector<NodeId> absorbed;   // Relu and Clip that go into the rounding after them
    /// The value whose observed range a value takes; nothing: [0, 1], whatever was observed.
    std::map<ValueId, std::optional<ValueId>> ranges;
    std::map<NodeId, std::string> reasons;  // of nodes that nothing was marked for
};

OnnxRuntimePlacement place_as_onnxruntime(const Graph& graph, const QuantizeOptions& options);

std::vector<WatchedValue> values_to_watch(const Graph& graph,
                                          const OnnxRuntimePlacement& placement);

}  // namespace lapidary
