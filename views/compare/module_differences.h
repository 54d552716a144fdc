// SPDX-License-Identifier: GPL-3.0-or-later
// The difference of A and B by parts of the model as it was opened: times of fused nodes are
// divided among the original nodes that they replace, and those are summed by scope.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::views {

struct NodeDifference;

/// A bar of the waterfall. Times per run, in ms, in the scale of the digest (TimeScale).
struct ModuleDifference {
    enum class Kind { start, module, noise, rest, overhead, end };
    Kind kind = Kind::module;
    // the scope, "encoder/layer.3"; empty for other kinds
    std::string name;
    std::size_t count = 0;      // number of nodes in a module; of modules in the noise
    double a_ms = 0, b_ms = 0;  // in the row `start` both are A's, in `end` both are B's
    std::optional<std::pair<double, double>> interval;  // of the difference, 95 %
    double difference() const { return b_ms - a_ms; }
    bool isSignificant() const { return interval && (interval->first > 0 || interval->second < 0); }
};

/// The rows: A in total, the modules that differ beyond noise with the largest difference first,
/// all other modules together, nodes without an original node, the session overhead, and B in
/// total. The bars between the first and the last add up to their difference. Empty if the names of
/// nodes have no scopes. `wall`: total times of a run of A and of B.
std::vector<ModuleDifference> moduleDifferences(const std::vector<NodeDifference>& nodes,
                                                const std::pair<double, double>& wall);

}  // namespace lapidary::views
