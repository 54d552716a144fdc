// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <lapidary/graph.h>

namespace lapidary::app {

struct ActivationEstimate {
    std::uint64_t peak_bytes = 0;      // most bytes of inner values alive at once, nodes run in list order
    std::size_t unknown = 0;           // values whose size is not known beforehand; they count as nothing
    bool assumed = false;              // free dimensions were taken as 1 (batches) or 128 (the rest)
};

/// From the inferred types alone, nothing runs: values of the main graph, from their writer to their last reader.
/// Views (Reshape and its like) share their input's bytes.
ActivationEstimate estimateActivations(const Graph& graph, const std::map<std::string, std::int64_t>& dimensions = {});

}  // namespace lapidary::app
