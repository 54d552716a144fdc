// SPDX-License-Identifier: Apache-2.0
// What quantizing does to each node, in the form that another tool needs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// A node of the prepared model, see prepare_for_quantization().
struct PlannedNode {
    /// name of its first output that has one: preparing keeps it, node names it may not
    std::string value;
    std::string op_type;       // of its domain
    bool quantized = false;    // else it stays float
    bool asked_float = false;  // by QuantizeOptions::keep_float
    /// QuantizeOptions::weights_alone: stored in 8 bits, computed in float; not `quantized`
    bool weight_alone = false;
    bool reads_float = false;   // an input or output is float32
    bool holds_graphs = false;  // If, Loop, Scan ...
    bool inner = false;         // of a subgraph
};

/// All nodes of the prepared model.
struct QuantizePlan {
    std::vector<PlannedNode> nodes;  // in the order of the graphs, subgraphs among them
    std::int64_t least_opset = 0;    // that the model is brought to
    bool bounds_masks = false;       // constants of masks are, see QuantizeOptions::bound_masks
};

/// Mode static: where its placement wants integers (placed as ONNX Runtime does: every node but
/// those kept float, for it decides itself). Other modes: as in `decided`, which quantize_model()
/// gave for the same model and options; where there is none, as it decides without samples. Throws
/// what prepare_for_quantization() and quantize_model() throw.
QuantizePlan plan_quantization(const Model& model, const QuantizeOptions& options,
                               const std::vector<NodeDecision>& decided = {},
                               const Progress& progress = {});

}  // namespace lapidary
