// SPDX-License-Identifier: Apache-2.0
// How much memory the inner values of a model take at once, without planning or running anything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/model.h>
#include <lapidary/internal/members.h>

namespace lapidary::app {

struct ActivationEstimate {
    // most bytes of inner values alive at once, nodes run in list order
    std::uint64_t peak_bytes = 0;
    // values whose size is not known beforehand; they count as nothing
    std::size_t unknown = 0;
    // the sizes assumed for free dimensions without a given one, the same as for a run
    DimensionSizes assumed;
};

/// From the inferred types alone, nothing runs: values of the main graph, from their writer to
/// their last reader. Views (Reshape and its like) share their input's bytes.
ActivationEstimate estimate_activations(const Model& model, const DimensionSizes& dimensions = {});

}  // namespace lapidary::app

namespace lapidary {

template <>
struct Members<app::ActivationEstimate> {
    using T = app::ActivationEstimate;
    static constexpr auto list =
        members<T>(member<&T::peak_bytes>("peak_bytes"), member<&T::unknown>("unknown"),
                   member<&T::assumed>("assumed"));
};

}  // namespace lapidary
