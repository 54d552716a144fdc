// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels of a run hand values to each other.
#pragma once

#include <cstddef>
#include <vector>

#include <lapidary/graph/graph.h>
#include <lapidary/profile/profile.h>

namespace lapidary::views {

/// A value is written by one kernel and read by the other; places in Profile::kernels.
struct ValueFlow {
    std::size_t from = 0, to = 0;
    friend bool operator==(const ValueFlow&, const ValueFlow&) = default;
};

inline constexpr std::size_t most_flows = 100;

/// To the kernel and from it, within its run and the main graph, in time order, at most
/// `most_flows`. `graph`: the one whose nodes the profile names. Empty where the kernel has no
/// node.
std::vector<ValueFlow> flowsOf(const Profile& profile, const Graph& graph, std::size_t kernel);

}  // namespace lapidary::views
