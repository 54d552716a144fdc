// SPDX-License-Identifier: Apache-2.0
// Runs a node on constants, with the kernels that a session would use.
#pragma once

#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>

namespace lapidary {

struct Evaluation {
    std::vector<Tensor> outputs;  // one per output of the node, absent where unwanted
    std::string problem;          // why it could not be computed; empty: it was
};

/// `inputs`: one per node input, null where omitted. Single-threaded. No output may pass
/// limits.fold_bytes.
Evaluation evaluate(const Graph& graph, const Node& node, const std::vector<const Tensor*>& inputs,
                    const Limits& limits, const CancelToken& cancel);

/// False for random operators and others whose results may differ from run to run; `ms`
/// quantization operators count as deterministic.
bool is_deterministic(const Node& node);

}  // namespace lapidary
