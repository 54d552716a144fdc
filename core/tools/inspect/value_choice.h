// SPDX-License-Identifier: Apache-2.0
// Which values of a graph and its bodies a ValueChoice names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/inspect/inspect_values.h>

namespace lapidary {

/// Calls `visit` for the graph and each body below it, with its path as sessions write it
/// ("loop/body/").
void for_each_body(const Graph& graph, const std::string& path,
                   const std::function<void(const Graph&, const std::string& path)>& visit);

class ChosenValues {
public:
    /// Throws invalid_input with the nearest names for a name, a pattern or a scope that nothing
    /// has.
    ChosenValues(const Graph& main, const ValueChoice& choice);

    bool has(const Graph& graph, ValueId id) const {
        const auto found = chosen_.find(&graph);
        return found != chosen_.end() && id && found->second[id.index] != 0;
    }
    /// False where constants alone are chosen.
    bool needs_run() const { return needs_run_; }
    bool has_iteration(const std::vector<std::int64_t>& iterations) const {
        return !choice_.iteration || iterations.empty() || iterations.back() == *choice_.iteration;
    }

private:
    void choose(const Graph& graph, const std::string& path);
    /// For names that nothing has: what ends with them behind a slash.
    void choose_by_ends(const Graph& main);
    bool is_chosen(const std::string& name, const std::string& path);
    bool is_chosen(const Node& node, const std::string& path);
    void require_all_found() const;

    const ValueChoice choice_;
    std::map<const Graph*, std::vector<std::uint8_t>> chosen_;  // by ValueId::index
    bool needs_run_ = false;
    // of choice_.values, nodes and scopes: whether anything has them
    std::vector<std::uint8_t> found_values_, found_nodes_, found_scopes_;
    std::vector<std::string> value_names_, node_names_;  // of all graphs
};

}  // namespace lapidary
