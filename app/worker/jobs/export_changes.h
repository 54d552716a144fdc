// SPDX-License-Identifier: Apache-2.0
// What an export changes in a model, to be shown before the file is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/export/export_model.h>

namespace lapidary::app {

/// An input or output whose type changes or that goes.
struct ChangedPort {
    bool is_output = false;
    std::string name, before;          // its type, to_string()
    std::optional<std::string> after;  // empty: it goes
};
struct RemovedNodes {
    std::string pass;        // that removes them
    std::int64_t count = 0;  // nodes, less those that it adds
};
/// A node that is rewritten for another opset.
struct UpgradedNode {
    std::string node;          // Node::describe(); empty: in a subgraph or function
    std::string remark, pass;  // what was done, and by which pass
};
struct MovedWeight {
    std::string name;
    std::uint64_t bytes = 0;
};
/// Weights by where they are written.
struct WeightPlaces {
    std::vector<MovedWeight> beside;  // the largest first, at most most_listed_changes
    std::uint64_t beside_count = 0, beside_bytes = 0;  // of all of them
    std::uint64_t inside_bytes = 0;                    // in the model's own file
};

/// Nodes and weights that are listed one by one.
inline constexpr std::size_t most_listed_changes = 200;

struct ExportChanges {
    std::int64_t nodes_before = 0;  // as count_nodes()
    std::int64_t opset_before = 0, opset = 0;
    std::vector<ChangedPort> ports;       // inputs, then outputs
    std::vector<RemovedNodes> removed;    // in the order of the passes
    std::vector<UpgradedNode> upgraded;   // at most most_listed_changes
    std::uint64_t upgraded_count = 0;     // of all of them
    std::optional<WeightPlaces> weights;  // empty: no weight is put beside the file by request
};

/// `external_bytes`: SaveOptions::external_data_min_bytes of the file.
ExportChanges changes_of(const Model& before, const ExportResult& exported,
                         std::optional<std::uint64_t> external_bytes);

}  // namespace lapidary::app
