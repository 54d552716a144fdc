// SPDX-License-Identifier: Apache-2.0
// The model card: contents of a model file, and warnings about it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// A node that cannot run here.
struct UnsupportedNode {
    std::string node;    // Node::describe() with the subgraph's place
    std::string op;      // "Op" or "domain::Op"
    std::string reason;  // a sentence
};

/// Counts of a model.
struct ModelSummary {
    std::vector<std::pair<std::string, Type>> inputs, outputs;  // inputs without default only
    /// "Op" or "domain::Op" -> count, subgraphs counted
    std::map<std::string, std::int64_t> operators;
    std::int64_t nodes = 0;       // subgraphs counted
    std::int64_t parameters = 0;  // elements of all constants
    /// elements by short name of the type, "f32"
    std::map<std::string, std::int64_t> parameters_by_dtype;
    /// those of them that Constant nodes hold
    std::int64_t constant_elements = 0;
    /// Of all constants, of the file, of data beside it.
    std::uint64_t weight_bytes = 0, file_bytes = 0, external_bytes = 0;
    std::vector<UnsupportedNode> unsupported;  // in the order of the graph
    std::vector<Warning> warnings;             // Model::warnings
};

/// Does not run the model or infer types.
ModelSummary summarize(const Model& model);

}  // namespace lapidary
