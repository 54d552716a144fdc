// SPDX-License-Identifier: Apache-2.0
// What quantization does to each node, in a form that other tools need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A node of the prepared model, see prepare_for_quantization().
struct PlannedNode {
    /// Name of its first output that has one. Preparation keeps names of values, but not always
    /// those of nodes.
    std::string value;
    std::string op_type;       // of its domain
    bool quantized = false;    // false: it stays float
    bool asked_float = false;  // it matches QuantizeOptions::keep_float
    /// QuantizeOptions::weights_alone: stored in 8 bits, computed in float; not `quantized`
    bool weight_alone = false;
    bool reads_float = false;   // an input or output is float32
    bool holds_graphs = false;  // If, Loop, Scan ...
    bool inner = false;         // of a subgraph
};

/// All nodes of the prepared model.
struct QuantizePlan {
    std::vector<PlannedNode> nodes;  // in the order of the graphs, subgraphs among them
    std::int64_t least_opset = 0;    // the model is raised to it
    bool bounds_masks = false;       // QuantizeOptions::bound_masks applies
};

/// Mode static: the nodes that its placement quantizes. With the placement of ONNX Runtime: every
/// node that is not kept float, since that tool decides itself. Other modes: as in `decided`, the
/// decisions of quantize_model() for the same model and options; if empty, as it decides without
/// samples. Throws what prepare_for_quantization() and quantize_model() throw.
QuantizePlan plan_quantization(const Model& model, const QuantizeOptions& options,
                               const std::vector<NodeDecision>& decided = {},
                               const Progress& progress = {});

}  // namespace lapidary
