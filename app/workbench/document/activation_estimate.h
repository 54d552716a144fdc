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
    // free dimensions without a given size, and the assumed size: as for a run
    DimensionSizes assumed;
};

/// From the inferred types alone, nothing runs: values of the main graph, from their writer to
/// their last reader. Views (Reshape and its like) share their input's bytes.
ActivationEstimate estimateActivations(const Model& model, const DimensionSizes& dimensions = {});

}  // namespace lapidary::app
