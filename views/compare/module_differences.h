// SPDX-License-Identifier: GPL-3.0-or-later
// The difference of A and B by parts of the model as it was opened: times of fused nodes are rolled
// back onto the nodes that they stand for, and those onto the scope that they lie in.
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
    // of the scope: "encoder/layer.3"; of other kinds empty
    std::string name;
    std::size_t count = 0;                              // nodes of a module; modules of the noise
    double a_ms = 0, b_ms = 0;                          // of start both are A's, of end both B's
    std::optional<std::pair<double, double>> interval;  // of the difference, 95 %
    double difference() const { return b_ms - a_ms; }
    bool isSignificant() const { return interval && (interval->first > 0 || interval->second < 0); }
};

/// First A as a whole, then the modules that differ beyond noise, largest difference first, the
/// others together, the time of nodes without an original node, the session overhead, and B as
/// a whole. The bars between the first and the last add up to their difference. Empty if the
/// names of nodes have no scopes. `wall`: times of a run of A and of B, of which the nodes are
/// parts.
std::vector<ModuleDifference> moduleDifferences(const std::vector<NodeDifference>& nodes,
                                                const std::pair<double, double>& wall);

}  // namespace lapidary::views
