// SPDX-License-Identifier: Apache-2.0
// Where the outputs of recorded modules may be in a graph and in the bodies of its nodes: the
// values that the nodes of a module give to nodes of others. A dumped value is at the value of its
// name.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/inspect/recording.h>

namespace lapidary {

class RecordedPlaces {
public:
    RecordedPlaces(const Graph& graph, const Recording& recording);

    /// Indices into Recording::modules of those that the value of a graph may be an output of.
    const std::vector<std::size_t>& modules_at(const Graph& graph, ValueId value) const;
    /// True where the graph has nodes of the module, or the dumped value.
    bool has_nodes(std::size_t module) const { return has_nodes_[module]; }
    /// True of a dumped value that the model takes as an input: the run is fed with it.
    bool is_input(std::size_t module) const { return is_input_[module]; }

private:
    void place_values(const Graph& graph, const Recording& recording);

    std::map<std::pair<const Graph*, ValueId>, std::vector<std::size_t>> modules_;
    std::vector<bool> has_nodes_, is_input_;
};

}  // namespace lapidary
