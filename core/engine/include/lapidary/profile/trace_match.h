// SPDX-License-Identifier: Apache-2.0
// Which nodes of a model the kernels of a trace are: traces carry names, not ids that mean
// something here.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/profile/profile.h>

namespace lapidary {

/// Kernels of one name that are no node of the model.
struct UnmatchedKernel {
    std::string name, op;  // as the trace says
    double ms = 0;         // in the typical run
    std::string reason;    // a full sentence
};

/// What of a trace is in a model.
struct TraceMatch {
    std::size_t matched = 0;                 // different kernels that are nodes of the model
    std::vector<UnmatchedKernel> unmatched;  // slowest first
};

/// Sets Span::node of the profile's outermost kernels and ranges to nodes of `graph`, by name:
/// those of traces of this program (ids are believed where the name agrees), those of ONNX Runtime,
/// and those that it makes of a node's or a value's name when it fuses ("a/Mul/LayerNormFusion/",
/// "fused Conv_3", "relu_out_nchwc": the Conv before that Relu). What is not found loses its id.
TraceMatch match_trace(Profile& profile, const Graph& graph);
/// Whether the recording can be one of this model: some kernel of it is one of its nodes, or it has
/// no kernels.
bool may_be_of_model(const TraceMatch& match);

}  // namespace lapidary
