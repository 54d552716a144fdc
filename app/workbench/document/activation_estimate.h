// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/model.h>

namespace lapidary::app {

struct ActivationEstimate {
    // most bytes of inner values alive at once, nodes run in list order
    std::uint64_t peak_bytes = 0;
    // values whose size is not known beforehand; they count as nothing
    std::size_t unknown = 0;
    // the sizes assumed for free dimensions without a given one, the same as for a run
    DimensionSizes assumed;
};

/// Estimates from the inferred types, without a run. Counts the values of the main graph, each from
/// its writer to its last reader. Views (Reshape and its like) share their input's bytes.
ActivationEstimate estimateActivations(const Model& model, const DimensionSizes& dimensions = {});

}  // namespace lapidary::app
