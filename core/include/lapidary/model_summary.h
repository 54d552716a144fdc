// SPDX-License-Identifier: Apache-2.0
// The model card: what a file holds and what is odd about it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/model.h>

namespace lapidary {

struct UnsupportedNode {
    std::string node;    // Node::describe() with the subgraph's place
    std::string op;
    std::string reason;
};

struct ModelSummary {
    std::vector<std::pair<std::string, Type>> inputs, outputs;   // inputs without default only
    std::map<std::string, std::int64_t> operators;               // "Op" or "domain::Op" -> count, subgraphs counted
    std::int64_t nodes = 0;
    std::int64_t parameters = 0;                                  // elements of all initializers
    std::map<std::string, std::int64_t> parameters_by_dtype;
    std::int64_t constant_elements = 0;                           // elements held by Constant nodes instead
    std::uint64_t weight_bytes = 0, file_bytes = 0, external_bytes = 0;
    std::vector<UnsupportedNode> unsupported;
    std::vector<Warning> warnings;
};

ModelSummary summarize(const Model& model);

}  // namespace lapidary
